// The tests that run with each SDK release in the peer dependency range.
export {}

await import('./authMessage/checkChallenge.test.ts')
await import('./authMessage/sep10.test.ts')
await import('./authMessage/signAuthMessage.test.ts')
await import('./authMessage/verifyAuthMessage.test.ts')
await import('./envelope/envelope.test.ts')
await import('./inspect/compareExpected.test.ts')
await import('./inspect/inspect.test.ts')
await import('./inspect/inspectAuthEntry.test.ts')
await import('./inspect/inspectTransaction.test.ts')
await import('./inspect/requests.test.ts')
await import('./signer/toSigner.test.ts')
await import('./transaction/signTransaction.test.ts')
await import('./transaction/signAuthEntry.test.ts')
await import('./transaction/simulateCall.test.ts')
await import('./usdcAccount.test.ts')
await import('./usdcTransfer.test.ts')
