import { afterAll, beforeAll, vi } from 'vitest'
import { processStorage } from '../src/redeemkit/redeem/purchase/purchaseStorage.ts'

// Test files share a process, and with it the default storage. A purchase that one file leaves open must not be resumed by the next.
beforeAll(async () => {
  for (const name of (await processStorage.keys?.()) ?? []) processStorage.removeItem(name)
})

// The next file must not see this file's page, clock, globals, environment or mocks.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  globalThis.document?.body.replaceChildren()
})
