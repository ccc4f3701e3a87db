import { Asset, Keypair, xdr } from '@stellar/stellar-sdk'
import type { TransferContext } from './transferContext.ts'

/** USDC of an account in millionths, rounded down: Stellar counts ten-millionths. 0 without a trustline. */
export async function readStellarUsdc({ client, network }: TransferContext, wallet: string): Promise<bigint> {
  const { entries } = await client.getLedgerEntries(
    xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: Keypair.fromPublicKey(wallet).xdrAccountId(),
        asset: new Asset(network.usdc.code, network.usdc.issuer).toTrustLineXDRObject(),
      }),
    ),
  )
  return BigInt(entries[0]?.val.trustLine().balance().toString() ?? 0) / 10n
}
