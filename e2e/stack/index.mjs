// What the tests on the real stack start it with.

export { addVirtualAuthenticator, launchChromium } from "./browser.mjs";
export { initialiseCustody, newApiKey, ORGANIZATION_NAME, startCustody } from "./custody.mjs";
export { freePorts, startProgram } from "./program.mjs";
export { repositoryRoot, tenfold } from "./paths.mjs";
export { startStack } from "./stack.mjs";
