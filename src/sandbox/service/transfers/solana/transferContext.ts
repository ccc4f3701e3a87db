import type { Environment } from '../../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../../redeemkit/core/time/clock.ts'
import type { Connection } from '../../../../redeemkit/solana/usdcTransfer/readAccounts.ts'

/** What every step of a transfer works with. */
export type TransferContext = {
  connection: Connection
  /** Pays fees and rent. */
  sponsor: { publicKey: string; secretKey: Uint8Array }
  environment: Environment
  now: Clock
}

/** How long one call follows a transaction. After it, the same call again goes on. */
export const followMs = 30_000
export const pollMs = 100
