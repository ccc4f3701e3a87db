import type { Keypair, rpc } from '@stellar/stellar-sdk'
import { centsToAmount } from '../../../../redeemkit/core/amount/centsToAmount.ts'
import type { Environment } from '../../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../../redeemkit/core/time/clock.ts'
import { inspect } from '../../../../redeemkit/stellar/inspect/inspect.ts'
import type { StellarNetwork } from '../../../../redeemkit/stellar/networks.ts'
import type { Facts } from './facts.ts'

/** What every step of a transfer works with. */
export type TransferContext = {
  client: rpc.Server
  environment: Environment
  network: StellarNetwork
  now: Clock
  /** The accounts that pay fees, by address. */
  sponsors: ReadonlyMap<string, Keypair>
}

/** How often, and how long between, one call looks for its transaction. After it, the same call again goes on. */
export const looks = { attempts: 60, pollIntervalMs: 500 }

/** Holds a transaction against what was prepared. */
export function inspectTransfer(
  { environment, now }: TransferContext,
  transaction: string,
  { expected }: Facts,
  latestLedger?: number,
): ReturnType<typeof inspect> {
  return inspect({ transaction }, { environment, address: expected.from, expected, latestLedger, now })
}

/** Stellar's USDC has 7 decimals. */
export function amountOf(cents: number): bigint {
  return centsToAmount(cents) * 10n
}
