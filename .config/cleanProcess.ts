import { afterAll, beforeAll, vi } from 'vitest'
import { processStorage } from '../src/redeemkit/redeem/purchase/purchaseStorage.ts'

// Test files share a process and its default storage. A file must not resume a purchase that an earlier file left open.
beforeAll(async () => {
  for (const name of (await processStorage.keys?.()) ?? []) processStorage.removeItem(name)
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  globalThis.document?.body.replaceChildren()
})
