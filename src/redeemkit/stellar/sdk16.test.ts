import { vi } from 'vitest'

// The peer range includes SDK 16: run the same tests with it instead of 15.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-16'))

await import('./authMessage/checkChallenge.test.ts')
await import('./authMessage/sep10.test.ts')
await import('./authMessage/signAuthMessage.test.ts')
await import('./authMessage/verifyAuthMessage.test.ts')
await import('./envelope/parseTransaction.test.ts')
await import('./envelope/memo.test.ts')
await import('./expected.test.ts')
await import('./inspect/compareExpected.test.ts')
await import('./inspect/inspect.test.ts')
await import('./inspect/inspectAuthEntry.test.ts')
await import('./inspect/inspectTransaction.test.ts')
await import('./inspect/requests.test.ts')
await import('./signer/toSigner.test.ts')
await import('./transaction/feeBump.test.ts')
await import('./transaction/signAuthEntry.test.ts')
await import('./transaction/signTransaction.test.ts')
await import('./transaction/simulateCall.test.ts')
await import('./usdcAccount/usdcAccount.test.ts')
await import('./usdcTransfer/usdcTransfer.test.ts')
