import { createPublicClient, http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { describe, expectTypeOf, test } from 'vitest'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { BaseError } from '../core/errors/baseError.ts'
import type { EvmClient } from '../evm/client.ts'
import type { RedeemOutcome } from './chain/readLogs.ts'
import { account, chainId, pinned, token } from './redeem.fixture.ts'
import { redeem } from './redeem.ts'

const options = {
  signer: account,
  chainId,
  pinned,
  subtotal: { cents: 1000 },
  transactionData: token,
} as const
/** Type-checked, never run. */
const compiled = (_: (client: PaymentsClient, publicClient: EvmClient) => unknown) => {}

describe('the type of redeem', () => {
  test('has the outcome if a public client is passed, such as viem’s', () => {
    compiled(async (client, publicClient) => {
      const { outcome } = await redeem(client, { ...options, publicClient })
      expectTypeOf(outcome).toEqualTypeOf<RedeemOutcome>()
      const viem = createPublicClient({ chain: baseSepolia, transport: http() })
      expectTypeOf(
        (await redeem(client, { ...options, publicClient: viem })).outcome,
      ).toEqualTypeOf<RedeemOutcome>()
    })
  })
  test('may lack the outcome if no public client is passed, or if it may be undefined', () => {
    compiled(async (client, publicClient) => {
      type Maybe = RedeemOutcome | undefined
      expectTypeOf((await redeem(client, options)).outcome).toEqualTypeOf<Maybe>()
      const maybe = { publicClient: Math.random() > 2 ? publicClient : undefined }
      expectTypeOf((await redeem(client, { ...options, ...maybe })).outcome).toEqualTypeOf<Maybe>()
    })
  })
  test('rejects options that `redeem` rejects', () => {
    compiled((client) => [
      // @ts-expect-error a redeem has no price in euros
      redeem(client, { ...options, subtotal: { cents: 1000, currency: 'EUR' } }),
      // @ts-expect-error cents must be a number
      redeem(client, { ...options, subtotal: { cents: 1000n } }),
      // @ts-expect-error cents must be a number
      redeem(client, { ...options, subtotal: { cents: '1000' } }),
      // @ts-expect-error pinned is missing
      redeem(client, { ...options, pinned: undefined }),
      // @ts-expect-error the option is called usdcAmount
      redeem(client, { ...options, usdcAmounts: { cents: 400 } }),
      // @ts-expect-error the option is called maxGasFeeCents
      redeem(client, { ...options, pinned: { ...pinned, maxGasFee: 1 } }),
      // @ts-expect-error a URL is not a public client
      redeem(client, { ...options, publicClient: 'https://node.example' }),
      // @ts-expect-error the client comes first
      redeem(options, client),
    ])
  })
  test('names only redeemkit errors', () => {
    expectTypeOf<redeem.ErrorType>().toExtend<BaseError>()
    expectTypeOf<
      'InsufficientFundsError' | 'OutcomeUnknownError' | 'RedeemTimeoutError' | 'UserRejectedError'
    >().toExtend<redeem.ErrorType['name']>()
  })
})
