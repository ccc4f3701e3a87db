import { Asset, scValToBigInt } from '@stellar/stellar-sdk'
import { trustlineKey } from '../entries/state.ts'
import { addressValue } from '../host/contractValues.ts'
import { recordingAuthorizer } from '../host/recordingAuthorizer.ts'
import { runHostFunction } from '../host/runHostFunction.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'

/** What an account or a contract has: stroops, and USDC in raw units of 7 decimals (undefined without a trustline). */
export function balanceOf(core: LedgerCore, address: string): { xlm: bigint; usdc: bigint | undefined } {
  if (!address.startsWith('C'))
    return {
      xlm: core.state.accounts.get(address)?.balance ?? 0n,
      usdc: core.state.trustlines.get(trustlineKey(address, core.usdc.toString()))?.balance,
    }
  const { sequence, closedAt } = core
  const options = hostOptions(core)
  const held = (asset: Asset) =>
    scValToBigInt(
      runHostFunction({
        ...options,
        authorizer: recordingAuthorizer({ ...options, source: '', sequence, nonce: () => 0n }),
        ledger: { sequence, timestamp: closedAt },
        hostFunction: {
          kind: 'invoke',
          contract: asset.contractId(core.networkPassphrase),
          functionName: 'balance',
          args: [addressValue(address)],
        },
      }).returnValue,
    )
  return { xlm: held(Asset.native()), usdc: held(core.usdc) }
}
