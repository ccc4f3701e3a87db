/** All examples that `npm run example -- NAME` starts, with a description. */
export const examples = {
  'dapp-redeem': 'a shop in React: connect, sign in, buy an NFT, pay a bill, buy credits by card, subscribe',
  'wallet-extension': 'a wallet as a browser extension, in a Chromium with a service and the shop',
  'pay-button-page': 'a page with one pay button and no framework, to click twice, reload and interrupt',
  'merchant-server': "a shop's own server: session keys, checkout JWT, webhooks, calls for its pages",
  'headless-node': 'an agent that pays from a script, within its limits, and resumes after a crash',
  'redeem-in-one-call': 'pays 10 dollars, 6 from credits and 4 in USDC, with one function',
  'redeem-step-by-step': 'buys an NFT in four steps, with a reload between check and signature',
  'user-messages': 'pays, and describes the signature and the outcome in Portuguese',
  'sign-in': 'signs a wallet in, and keeps the credential',
  'redeem-with-a-passkey': 'spends credits on Tempo with a passkey',
} as const

export type ExampleName = keyof typeof examples

export function isExample(name: string | undefined): name is ExampleName {
  return name !== undefined && Object.hasOwn(examples, name)
}

export function listText(): string {
  const width = Math.max(...Object.keys(examples).map((name) => name.length))
  const lines = Object.entries(examples).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
  return [
    'npm run example -- NAME starts the payments service on this machine, together with one of:',
    '',
    ...lines,
    '',
    'The others in examples/ are functions to read and copy. The documentation shows each, and the tests run it.',
  ].join('\n')
}
