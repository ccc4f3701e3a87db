import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import { Asset, StrKey, scValToBigInt } from '../../../../redeemkit/stellar/sdk.ts'
import {
  availableBalance,
  baseReserve,
  createAccount,
  outsideSponsor,
  trustlineKey,
} from '../entries/state.ts'
import { addressValue } from '../host/contract.ts'
import { recordingAuthorizer } from '../host/recordingAuthorizer.ts'
import { runHostFunction } from '../host/runHostFunction.ts'
import { hostOptions, type LedgerCore } from './ledgerCore.ts'
import { LedgerError } from './parseEnvelope.ts'

export type FundOptions = {
  address: string
  /** Stroops to add. Default 100 XLM for a new account, 0 for an existing one. */
  xlm?: bigint | undefined
  /** Raw units (7 decimals) to add; creates the trustline if needed. */
  usdc?: bigint | undefined
  /** Whether the reserves are sponsored, so that the account needs no XLM. */
  sponsored?: boolean | undefined
  limit?: bigint | undefined
  /** Whether the issuer has authorized the trustline. Default true. */
  authorized?: boolean | undefined
}

const int64Max = (1n << 63n) - 1n

export function fundAccount(core: LedgerCore, options: FundOptions): void {
  const { address, xlm, usdc: amount, sponsored = false, limit = int64Max, authorized = true } = options
  if (!StrKey.isValidEd25519PublicKey(address))
    throw new LedgerError(`${showValue(address, 60)} is not an account address.`, {
      field: 'address',
      fix: 'Pass an account address (G…). To fund a contract, send it USDC.',
    })
  const { accounts, trustlines } = core.state
  let account = accounts.get(address)
  if (account === undefined) {
    core.sequence += 1
    account = createAccount(address, xlm ?? 1_000_000_000n, BigInt(core.sequence) << 32n)
    if (sponsored) account.sponsored = 2
    accounts.set(address, account)
  } else account.balance += xlm ?? 0n
  if (amount === undefined) return
  const key = trustlineKey(address, core.usdc.toString())
  const line = trustlines.get(key)
  if (line !== undefined) {
    line.balance += amount
    return
  }
  trustlines.set(key, { balance: amount, limit, authorized, sponsor: sponsored ? outsideSponsor : undefined })
  account.subEntries += 1
  if (sponsored) account.sponsored += 1
  else if (availableBalance(account) < 0n) account.balance += baseReserve
}

/** The balance of an account or contract: stroops, and USDC in raw units (7 decimals; undefined without a trustline). */
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
        call: {
          contract: asset.contractId(core.networkPassphrase),
          functionName: 'balance',
          args: [addressValue(address)],
        },
      }).returnValue,
    )
  return { xlm: held(Asset.native()), usdc: held(core.usdc) }
}
