import { tokenAccountOf } from '../../../../redeemkit/solana/address.ts'
import { networkOf } from '../../../../redeemkit/solana/networks.ts'
import { readTokenAccount } from '../../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import type { TransferContext } from './transferContext.ts'

/** USDC of a wallet in millionths; 0 without a token account. */
export async function readSolanaUsdc(
  { connection, environment }: TransferContext,
  wallet: string,
): Promise<bigint> {
  const { usdcMint } = networkOf(environment)
  const account = tokenAccountOf({ owner: wallet, mint: usdcMint })
  return (await readTokenAccount(connection, account))?.amount ?? 0n
}
