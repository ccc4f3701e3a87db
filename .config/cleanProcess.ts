import { afterAll, beforeAll, vi } from 'vitest'
import { processStorage } from '../src/redeemkit/redeem/purchase/purchaseStorage.ts'

// Test files share a process, and with it the default storage. A purchase that one file leaves open must not be resumed by the next.
beforeAll(async () => {
  for (const name of (await processStorage.keys?.()) ?? []) processStorage.removeItem(name)
})

// Nor must the next file see the page, clock, globals, environment or functions of this one.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  globalThis.document?.body.replaceChildren()
})
