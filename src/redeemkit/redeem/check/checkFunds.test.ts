import { expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import type { RedeemPins } from '../preparedRedeem.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import { randomNonceService } from '../randomNonce.fixture.ts'
import { fakeService, honestAnswer, pinned, token, wallet } from '../redeem.fixture.ts'
import { checkBalances } from './checkFunds.ts'

const request = { subtotal: { cents: 1000 }, transactionData: token, usdcAmount: { cents: 400 } }
const publicClient = { request: () => expect.unreachable('the chain was already read') }

/** Checks a redeem of 4 USD in USDC and 6 USD in credits, with a gas fee in raw units, against reported balances in cents. */
async function check(
  credits: number,
  usdc: number,
  { gasFee = 30_000, ...options }: { gasFee?: number } & Parameters<typeof checkBalances>[2] = {},
) {
  const balances = { credits: { cents: credits }, usdc: { cents: usdc } }
  const { client } = fakeService({ balances, answer: (body) => honestAnswer(body, { gasFee }) })
  const prepared = await prepareRedeem(client, { ...request, wallet, pinned })
  return checkBalances(client, prepared, options)
}

test.each<[string, ...Parameters<typeof check>]>([
  ['to the cent', 603, 400],
  ['although the service reports no fractions of a cent', 602, 400, { gasFee: 25_000 }],
  ['if the USDC is read from the chain', 603, 0, { publicClient }],
])('funds are enough %s', async (_, ...funds) => {
  await check(...funds)
})

const ofCredits = {
  asset: 'credits',
  field: 'subtotal',
  fix: 'Get 0.01 more first, or pay less in credits. Nothing was signed.',
}
const ofUsdc = {
  asset: 'usdc',
  field: 'usdcAmount',
  fix: 'Get 0.01 more first, or pay less in USDC. Nothing was signed.',
}

test.each<[string, { asset: string; field: string; fix: string }, ...Parameters<typeof check>]>([
  ['a cent of credits', ofCredits, 602, 400],
  [
    'a cent of credits, and an unreported fraction of a cent',
    { ...ofCredits, fix: 'Get 0.015 more first, or pay less in credits. Nothing was signed.' },
    601,
    400,
    { gasFee: 25_000 },
  ],
  ['a cent of USDC', ofUsdc, 603, 399],
  ['a cent of credits, with a node', ofCredits, 602, 400, { publicClient }],
])('funds lack %s', async (_, expected, ...funds) => {
  await expect(check(...funds)).rejects.toMatchObject({ name: 'InsufficientFundsError', ...expected })
})

test.each<[number, string, boolean]>([
  [404, '{}', true],
  [499, '{}', true],
  [200, '{}', true],
  [500, '{}', false],
])('with random nonces, the response %s %s is accepted: %s', async (status, body, mayLack) => {
  const balances = new Response(body, { status })
  const of = async ({ client }: ReturnType<typeof fakeService>, pins: RedeemPins) => {
    const prepared = await prepareRedeem(client, { ...request, wallet, pinned: pins })
    return checkBalances(client, prepared, {})
  }
  const retry = { client: { retry: false } } as const
  const checking = of(randomNonceService({ balances, ...retry }), { ...pinned, intentBound: false })
  if (mayLack) await checking
  else await expect(checking).rejects.toMatchObject({ status })
  // With intent-bound nonces, balances are required.
  await expect(of(fakeService({ balances, ...retry }), pinned)).rejects.toBeInstanceOf(BaseError)
})
