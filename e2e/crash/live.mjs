// Follows one person's live updates with the npm client rpc-websockets, the one
// that the page uses, and prints each as a line of JSON.
//
//   node live.mjs <ws-url> <origin> <cookie> <csrf token>
import { Client } from 'rpc-websockets'

const [url, origin, cookie, csrfToken] = process.argv.slice(2)
const print = (event, data) => process.stdout.write(`${JSON.stringify({ event, data })}\n`)

const client = new Client(url, { origin, headers: { cookie }, reconnect: false })
client.on('error', (error) => print('error', String(error.message ?? error)))
client.on('close', (code) => print('close', code))
client.on('open', async () => {
  try {
    await client.login({ csrfToken: 'wrong' })
  } catch (error) {
    print('refused', error.message)
  }
  try {
    print('login', await client.login({ csrfToken }))
    print('methods', await client.listMethods())
    print('subscribed', await client.subscribe(['movements', 'balances', 'session']))
  } catch (error) {
    print('error', error.message)
  }
})
for (const topic of ['movements', 'balances', 'session']) {
  client.on(topic, (data) => print(topic, data))
}
