import { StrKey } from '@stellar/stellar-sdk'
import { showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import {
  availableBalance,
  baseReserve,
  createAccount,
  outsideSponsor,
  trustlineKey,
} from '../entries/state.ts'
import { LedgerError } from './errors.ts'
import type { LedgerCore } from './ledgerCore.ts'

export type FundOptions = {
  address: string
  /** Stroops to add. Default 100 XLM for a new account, 0 for an existing one. */
  xlm?: bigint | undefined
  /** Raw units of 7 decimals to add; makes the trustline when there is none. */
  usdc?: bigint | undefined
  /** The account's reserves are kept by somebody else, so that it needs no XLM at all. */
  sponsored?: boolean | undefined
  /** Limit of the trustline, when it is made. */
  limit?: bigint | undefined
  /** Whether the issuer has authorized the trustline. Default true. */
  authorized?: boolean | undefined
}

const int64Max = (1n << 63n) - 1n

/**
 * Puts an account, its XLM and its USDC there, out of nothing.
 *
 * @throws {@link LedgerError}
 */
export function fundAccount(core: LedgerCore, options: FundOptions): void {
  const { address, xlm, usdc: amount, sponsored = false, limit = int64Max, authorized = true } = options
  if (!StrKey.isValidEd25519PublicKey(address))
    throw new LedgerError(`${showValue(address, 60)} is not the address of an account.`, {
      field: 'address',
      fix: 'Fund accounts, G…; send USDC to contracts.',
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
