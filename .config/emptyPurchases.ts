import { beforeAll } from 'vitest'
import { processStorage } from '../src/redeemkit/redeem/purchase/purchaseStorage.ts'

// Test files share a process, and with it the default storage. A purchase that one file leaves open must not be resumed by the next.
beforeAll(async () => {
  for (const name of (await processStorage.keys?.()) ?? []) processStorage.removeItem(name)
})
