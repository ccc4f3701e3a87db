import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { getBalances } from '../../api/endpoints/customer.ts'
import { InvalidAnswerError, isServiceError } from '../../api/errors.ts'
import { amountPerCent, centsToAmount } from '../../core/amount.ts'
import type { EvmClient } from '../../evm/client.ts'
import { InsufficientFundsError } from '../errors.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import { usd } from './summarise.ts'

/** Funds of a customer in raw units: 1 USDC or 1 USD of credits is `1_000_000n`. `undefined` if unknown. */
export type Funds = { readonly credits: bigint | undefined; readonly usdc: bigint | undefined }

/** `within` is a tolerance in raw units, because the service reports whole cents. */
export function checkFunds(prepared: PreparedRedeem, have: Funds & { within?: bigint }): void {
  const { answer, usdcAmount, pinned } = prepared
  const rows = [
    ['credits', `credits of ${JSON.stringify(pinned.creditSeed)}`, BigInt(answer.creditsRawAmount)],
    ['usdc', 'USDC', BigInt(usdcAmount)],
  ] as const
  for (const [key, name, need] of rows) {
    const amount = have[key]
    if (amount !== undefined && amount + (have.within ?? 0n) < need)
      throw new InsufficientFundsError(
        `${prepared.wallet} has ${usd(amount)} ${name}, but needs ${usd(need)}.`,
        {
          asset: key,
          have: amount,
          need,
          field: key === 'usdc' ? 'usdcAmount' : 'subtotal',
          fix: `Get ${usd(need - amount)} more first, or pay less in ${key === 'usdc' ? 'USDC' : 'credits'}. Nothing was signed.`,
        },
      )
  }
}

/** Asks the service. Used if no chain is read, or the contract exposes no balances. */
export async function checkBalances(
  client: PaymentsClient,
  prepared: PreparedRedeem,
  { publicClient, signal }: { publicClient?: EvmClient | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  const { wallet, blockchain, pinned } = prepared
  let have: getBalances.ReturnType
  try {
    have = await getBalances(client, {
      creditSeed: pinned.creditSeed,
      wallet,
      blockchain,
      signal,
    })
  } catch (error) {
    // Some services report no balances, and reject unpayable redeems themselves.
    const hasNoBalance = isServiceError(error) ? error.status < 500 : error instanceof InvalidAnswerError
    if (pinned.intentBound === false && hasNoBalance) return
    throw error
  }
  // The service rounds down to whole cents.
  const within = amountPerCent - 1n
  checkFunds(prepared, {
    credits: centsToAmount(have.credits.cents),
    // With a publicClient, the USDC balance was read from the chain.
    usdc: publicClient === undefined ? centsToAmount(have.usdc.cents) : undefined,
    within,
  })
}
