import type { Host } from './createHost.ts'
import { prices } from './createMeter.ts'

/**
 * Fails unless an address has authorized the running call; a contract that calls authorizes by that.
 *
 * @throws `HostError`
 */
export function requireAuth(host: Host, address: string): void {
  if (host.frames.at(-2)?.contract === address) return
  for (const nonce of host.authorizer.require(address, host.frames)) {
    host.meter.charge(prices.signature)
    host.footprint.touch(nonce, true)
  }
}
