// Compiles src/*.sol into artifacts/*.json, or checks that the committed
// artifacts are what the sources give.
//
//   node localnet/contracts/build.mjs           write the artifacts
//   node localnet/contracts/build.mjs --check   exit 1 when one differs
//
// The compiler is npm's solc, pinned in localnet/package-lock.json.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const here = dirname(fileURLToPath(import.meta.url))
const sources = join(here, 'src')
const artifacts = join(here, 'artifacts')

/** The contract of each file has the file's name; its artifact too. */
function contractNames() {
  return readdirSync(sources)
    .filter((file) => file.endsWith('.sol'))
    .map((file) => file.slice(0, -'.sol'.length))
    .sort()
}

function compilerInput(names) {
  return {
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map((name) => [`${name}.sol`, { content: readFileSync(join(sources, `${name}.sol`), 'utf8') }]),
    ),
    settings: {
      // Explicit: the compiler's default moves with its version, and every
      // local chain runs at least Cancun.
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // No metadata hash: a comment must not change the bytecode.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
}

function compile(names) {
  const output = JSON.parse(solc.compile(JSON.stringify(compilerInput(names))))
  const problems = output.errors ?? []
  if (problems.length > 0) {
    throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'))
  }
  return new Map(names.map((name) => [name, artifactOf(name, output.contracts[`${name}.sol`][name])]))
}

function artifactOf(name, contract) {
  return (
    JSON.stringify(
      {
        contractName: name,
        compiler: solc.version(),
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      },
      null,
      2,
    ) + '\n'
  )
}

const built = compile(contractNames())
if (process.argv.includes('--check')) {
  const stale = [...built].filter(([name, text]) => {
    const path = join(artifacts, `${name}.json`)
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
  for (const [name] of stale) {
    console.error(`artifacts/${name}.json is not what src/${name}.sol compiles to; run node localnet/contracts/build.mjs`)
  }
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [name, text] of built) {
    writeFileSync(join(artifacts, `${name}.json`), text)
    console.log(`artifacts/${name}.json`)
  }
}
