import { Keypair, xdr } from '@stellar/stellar-sdk'
import { formatAmount } from '../../../../core/amount/formatAmount.ts'
import { accountLedgerKey } from '../entries/ledgerKeys.ts'
import type { Ledger } from '../ledger/createLedger.ts'

/** An answer of HTTP. */
export type HorizonAnswer = { status: number; body: object }

/** Answers the little of Horizon that wallets ask before and after a payment: an account, and a submission. */
export function answerHorizon(
  ledger: Ledger,
  method: string,
  path: string,
  form: URLSearchParams,
): HorizonAnswer {
  const [, address = ''] = /^\/accounts\/(\w+)$/.exec(path) ?? []
  if (method === 'GET' && address !== '') return account(ledger, address)
  if (method === 'POST' && path === '/transactions') return submit(ledger, form.get('tx') ?? '')
  if (method === 'GET' && path === '/')
    return {
      status: 200,
      body: {
        horizon_version: 'redeemkit simulation, not Horizon',
        network_passphrase: ledger.networkPassphrase,
        history_latest_ledger: ledger.latest().sequence,
        simulation: true,
      },
    }
  return problem(404, 'Resource Missing')
}

function problem(status: number, title: string, extras?: object): HorizonAnswer {
  return { status, body: { type: 'about:blank', title, status, ...(extras === undefined ? {} : { extras }) } }
}

function account(ledger: Ledger, address: string): HorizonAnswer {
  let key: xdr.LedgerKey
  try {
    key = accountLedgerKey(Keypair.fromPublicKey(address).publicKey())
  } catch {
    return problem(400, 'Bad Request')
  }
  const entry = ledger.readEntry(key)?.account()
  if (entry === undefined) return problem(404, 'Resource Missing')
  const { usdc } = ledger.balanceOf(address)
  const [master = 0, low = 0, medium = 0, high = 0] = entry.thresholds()
  return {
    status: 200,
    body: {
      id: address,
      account_id: address,
      sequence: entry.seqNum().toString(),
      subentry_count: entry.numSubEntries(),
      last_modified_ledger: ledger.latest().sequence,
      thresholds: { low_threshold: low, med_threshold: medium, high_threshold: high },
      flags: {
        auth_required: false,
        auth_revocable: false,
        auth_immutable: false,
        auth_clawback_enabled: false,
      },
      balances: [
        ...(usdc === undefined
          ? []
          : [
              {
                balance: formatAmount(usdc, { decimals: 7, minimumPlaces: 7 }),
                asset_type: 'credit_alphanum4',
                asset_code: ledger.usdc.getCode(),
                asset_issuer: ledger.usdc.getIssuer(),
                is_authorized: true,
              },
            ]),
        {
          balance: formatAmount(ledger.balanceOf(address).xlm, { decimals: 7, minimumPlaces: 7 }),
          asset_type: 'native',
        },
      ],
      signers: [
        { key: address, weight: master, type: 'ed25519_public_key' },
        ...entry.signers().map((signer) => ({
          key: Keypair.fromPublicKey(publicKeyOf(signer)).publicKey(),
          weight: signer.weight(),
          type: 'ed25519_public_key',
        })),
      ],
      data: {},
      // The SDK keeps `data` under another name only when a link of that name is there.
      _links: { data: { href: `/accounts/${address}/data/{key}`, templated: true } },
    },
  }
}

function submit(ledger: Ledger, transactionXdr: string): HorizonAnswer {
  try {
    const submitted = ledger.submit(transactionXdr)
    if (submitted.status === 'ERROR')
      return problem(400, 'Transaction Failed', {
        result_codes: { transaction: snake(submitted.result.result().switch().name) },
        result_xdr: submitted.result.toXDR('base64'),
      })
    const found = ledger.find(submitted.hash)
    if (found === undefined) return problem(504, 'Timeout')
    const result = xdr.TransactionResult.fromXDR(found.resultXdr, 'base64')
    if (!found.isSuccessful)
      return problem(400, 'Transaction Failed', {
        result_codes: { transaction: snake(result.result().switch().name) },
        result_xdr: found.resultXdr,
      })
    return {
      status: 200,
      body: {
        hash: found.hash,
        id: found.hash,
        successful: true,
        ledger: found.ledger,
        envelope_xdr: found.envelopeXdr,
        result_xdr: found.resultXdr,
        result_meta_xdr: found.resultMetaXdr,
      },
    }
  } catch {
    return problem(400, 'Transaction Malformed')
  }
}

function publicKeyOf(signer: xdr.Signer): string {
  return new Keypair({ type: 'ed25519', publicKey: signer.key().ed25519() }).publicKey()
}

/** `txBadSeq` as Horizon writes it: `tx_bad_seq`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
