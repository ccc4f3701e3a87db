import { Keypair, type xdr } from '@stellar/stellar-sdk'
import { formatAmount } from '../../../../../redeemkit/core/amount/formatAmount.ts'
import { accountLedgerKey } from '../../entries/ledgerKeys.ts'
import type { AccountState } from '../../entries/state.ts'
import type { Ledger } from '../../ledger/createLedger.ts'
import { type HorizonAnswer, problem } from './submit.ts'

/** An account as Horizon shows it. */
export function readAccount(ledger: Ledger, address: string): HorizonAnswer {
  let key: xdr.LedgerKey
  try {
    key = accountLedgerKey(Keypair.fromPublicKey(address).publicKey())
  } catch {
    return problem(400, 'Bad Request')
  }
  const found = ledger.readAccount(address)
  const entry = ledger.readEntry(key)
  if (found === undefined || entry === undefined) return problem(404, 'Resource Missing')
  const { account, trustlines } = found
  const modified = { last_modified_ledger: entry.modified }
  return {
    status: 200,
    body: {
      id: address,
      account_id: address,
      sequence: String(account.sequence),
      sequence_ledger: account.sequenceLedger,
      sequence_time: String(account.sequenceTime),
      subentry_count: account.subEntries,
      num_sponsoring: account.sponsoring,
      num_sponsored: account.sponsored,
      ...modified,
      home_domain: account.homeDomain,
      thresholds: {
        low_threshold: account.thresholds.low,
        med_threshold: account.thresholds.medium,
        high_threshold: account.thresholds.high,
      },
      flags: flagsOf(account),
      balances: [
        ...trustlines.map(({ code, issuer, line }) => ({
          balance: amountText(line.balance),
          limit: amountText(line.limit),
          buying_liabilities: '0.0000000',
          selling_liabilities: '0.0000000',
          ...modified,
          is_authorized: line.authorized,
          is_authorized_to_maintain_liabilities: line.authorized,
          asset_type: code.length > 4 ? 'credit_alphanum12' : 'credit_alphanum4',
          asset_code: code,
          asset_issuer: issuer,
          ...(line.sponsor ? { sponsor: line.sponsor } : {}),
        })),
        {
          balance: amountText(account.balance),
          buying_liabilities: '0.0000000',
          selling_liabilities: '0.0000000',
          asset_type: 'native',
        },
      ],
      signers: [...account.signers, [address, account.masterWeight] as const].map(([signer, weight]) => ({
        key: signer,
        weight,
        type: 'ed25519_public_key',
      })),
      data: Object.fromEntries(
        [...account.data].map(([name, value]) => [name, Buffer.from(value, 'hex').toString('base64')]),
      ),
      // The SDK keeps `data` under another name only when a link of that name is there.
      _links: { data: { href: `/accounts/${address}/data/{key}`, templated: true } },
    },
  }
}

function flagsOf({ flags }: AccountState): object {
  return {
    auth_required: (flags & 1) !== 0,
    auth_revocable: (flags & 2) !== 0,
    auth_immutable: (flags & 4) !== 0,
    auth_clawback_enabled: (flags & 8) !== 0,
  }
}

function amountText(amount: bigint): string {
  return formatAmount(amount, { decimals: 7, minimumPlaces: 7 })
}
