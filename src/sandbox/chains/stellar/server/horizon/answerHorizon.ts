import { baseFee } from '../../entries/state.ts'
import type { Ledger } from '../../ledger/createLedger.ts'
import { feeDistribution } from '../feeDistribution.ts'
import { readAccount } from './readAccount.ts'
import { type HorizonAnswer, problem, readTransaction, submitAndWait, submitAsync } from './submit.ts'

const feeLedgers = 5

/** Answers the little of Horizon that wallets ask before and after a payment: an account, fees, and a submission. */
export async function answerHorizon(
  ledger: Ledger,
  method: string,
  path: string,
  form: URLSearchParams,
): Promise<HorizonAnswer> {
  const [, address = ''] = /^\/accounts\/(\w+)$/.exec(path) ?? []
  const [, hash = ''] = /^\/transactions\/(\w+)$/.exec(path) ?? []
  const sent = form.get('tx') ?? ''
  if (method === 'POST' && path === '/transactions') return submitAndWait(ledger, sent)
  if (method === 'POST' && path === '/transactions_async') return submitAsync(ledger, sent)
  if (method !== 'GET') return problem(404, 'Resource Missing')
  if (address !== '') return readAccount(ledger, address)
  if (hash !== '') return readTransaction(ledger, hash)
  if (path === '/fee_stats') return { status: 200, body: feeStats(ledger) }
  if (path === '/')
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

/** What operations were charged, and what was offered for them, in the last five ledgers. */
function feeStats(ledger: Ledger): object {
  const { sequence } = ledger.latest()
  const recent = ledger.applied().filter((applied) => applied.ledger > sequence - feeLedgers)
  return {
    last_ledger: String(sequence),
    last_ledger_base_fee: String(baseFee),
    ledger_capacity_usage: '0.01',
    fee_charged: feeDistribution(recent.map(({ inclusionFee }) => inclusionFee.charged)),
    max_fee: feeDistribution(recent.map(({ inclusionFee }) => inclusionFee.offered)),
  }
}
