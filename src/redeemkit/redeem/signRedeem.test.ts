import fc from 'fast-check'
import { type Address, concatHex, type Hex, numberToHex, recoverTypedDataAddress, slice } from 'viem'
import { describe, expect, inject, test, vi } from 'vitest'
import { BaseError } from '../core/errors/baseError.ts'
import { shownOf } from '../core/errors/shownOf.fixture.ts'
import { userMessage } from '../core/userMessage/userMessage.ts'
import { redeemIntentNonce, settlementHash } from '../evm/creditPermit/redeemIntentNonce.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  account,
  pinned as anyChain,
  chainId,
  countingSigner,
  creditsContract,
  fakeChain,
  fakeService,
  honestAnswer,
  isOwnCall,
  leaves,
  now,
  nowSeconds,
  orderKey,
  random,
  recoveredWallet,
  redeemedLog,
  salt,
  stranger,
  token,
  wallet,
  withValue,
} from './redeem.fixture.ts'
import { signRedeem as signWithRequest } from './signRedeem.ts'

/** Signs with the prepared redeem's own request, for tests of other options. */
const signRedeem = (
  signer: Parameters<typeof signWithRequest>[0],
  options: Omit<signWithRequest.Options, 'request'> & Partial<Pick<signWithRequest.Options, 'request'>>,
) => signWithRequest(signer, { request: options.prepared?.request, ...options })

const pinned = { ...anyChain, chainId }
const request = { subtotal: { cents: 1000 }, transactionData: token }
const dualRequest = { ...request, usdcAmount: { cents: 400 } }
const prepare = (asked: object = request) =>
  prepareRedeem(fakeService().client, { chainId, pinned, ...request, ...asked })
const reload = <T>(data: T): T => JSON.parse(JSON.stringify(data))
const user = (code: number) => () =>
  Promise.reject(Object.assign(new Error('User rejected the request.'), { code }))

describe('signRedeem', () => {
  test('signs the permit and the USDC authorization as an independent library reads them', async () => {
    const prepared = await prepare(dualRequest)
    const signer = countingSigner()
    const { signedMessages } = await signRedeem(signer, { prepared, now, usdcVersion: 'V2' })
    expect(signer.asked).toHaveLength(2)
    const signatures = [
      signedMessages.permitCredits,
      signedMessages.customerUsdcAuthDataV2?.signature,
    ] as Hex[]
    for (const [index, typedData] of [
      prepared.typedData.creditPermit,
      prepared.typedData.usdcAuthorization,
    ].entries()) {
      const { EIP712Domain: _, ...types } = typedData?.types ?? {}
      // viem recovers the signer from the stored typed data, without `EIP712Domain`.
      const parameters = { ...typedData, types, signature: signatures[index] } as unknown as Parameters<
        typeof recoverTypedDataAddress
      >[0]
      expect(await recoverTypedDataAddress(parameters)).toBe(wallet)
    }
    expect(signedMessages.customerUsdcAuthDataV2).toMatchObject({
      from: wallet,
      to: creditsContract,
      value: '4000000',
      validAfter: '0',
      validBefore: `${nowSeconds + 600}`,
      nonce: prepared.answer.nonce,
    })
  })

  test('returns plain, frozen data, and resumes after a reload if pins are passed', async () => {
    const prepared = reload(await prepare(dualRequest))
    const signed = await signRedeem(account, { prepared, pinned, request: dualRequest, now })
    expect(reload(signed)).toStrictEqual(signed)
    expect(Object.isFrozen(signed.signedMessages)).toBe(true)
  })

  test('stored data without pins is rejected', async () => {
    const signer = countingSigner()
    await expect(signRedeem(signer, { prepared: reload(await prepare()), now })).rejects.toMatchObject({
      name: 'PinsRequiredError',
      field: 'pinned',
    })
    expect(signer.asked).toStrictEqual([])
  })

  test.each([
    [-30, undefined],
    [569, undefined],
    [570, 'ExpiredError'],
    [600, 'ExpiredError'],
    [-3000, undefined],
    [-3001, 'TooFarAheadError'],
  ])('checks the time again, %s s later', async (later, name) => {
    const signer = countingSigner()
    const signing = signRedeem(signer, { prepared: await prepare(), now: () => now() + later * 1000 })
    if (name === undefined) await signing
    else await expect(signing).rejects.toMatchObject({ name, field: 'validBefore' })
    expect(signer.asked).toHaveLength(name === undefined ? 1 : 0)
  })

  test.each([
    ['another contract', { ...pinned, creditsContract: stranger }, 'pinned.creditsContract'],
    ['another seed', { ...pinned, creditSeed: 'other' }, 'pinned.creditSeed'],
    ['another name', { ...pinned, domainName: 'Coins' }, 'pinned.domainName'],
    ['another version', { ...pinned, domainVersion: '2' }, 'pinned.domainVersion'],
    ['another fee cap', { ...pinned, maxGasFeeCents: 99 }, 'pinned.maxGasFeeCents'],
    ['another chain', { ...pinned, chainId: 8453 }, 'pinned.chainId'],
  ])('compares the redeem with the caller’s pins: %s', async (_, other, field) => {
    const signer = countingSigner()
    const prepared = await prepare()
    for (const data of [prepared, reload(prepared)])
      await expect(signRedeem(signer, { prepared: data, pinned: other, now })).rejects.toMatchObject({
        field,
      })
    expect(signer.asked).toStrictEqual([])
  })

  test.each([
    ['another price', { ...request, subtotal: { cents: 1001 } }, 'request.subtotal.cents'],
    [
      'another destination',
      { ...request, transactionData: { ...token, destination: wallet } },
      'request.transactionData.destination',
    ],
    ['a USDC part', { ...request, usdcAmount: { cents: 1 } }, 'request.usdcAmount'],
    ['a cart', { ...request, chargebackProtectionData: [] }, 'request.chargebackProtectionData'],
  ])('compares the redeem with the caller’s request: %s', async (_, other, field) => {
    const signer = countingSigner()
    const prepared = reload(await prepare())
    await expect(signRedeem(signer, { prepared, pinned, request: other, now })).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field,
    })
    expect(signer.asked).toStrictEqual([])
    await signRedeem(signer, { prepared, pinned, request: { ...request, usdcAmount: { cents: 0 } }, now })
  })

  test('a stored random-nonce permit needs `allowRandomNonce` again', async () => {
    const answer = honestAnswer({ ...request, salt, orderKey })
    answer.nonce = answer.message.message.nonce = `0x${'12'.repeat(32)}`
    const { client } = fakeService({ answer: () => answer })
    const prepared = await prepareRedeem(client, {
      chainId,
      pinned,
      ...request,
      random,
      allowRandomNonce: true,
    })
    const signer = countingSigner()
    await expect(signRedeem(signer, { prepared: reload(prepared), pinned, now })).rejects.toMatchObject({
      name: 'RandomNonceError',
    })
    await expect(signRedeem(signer, { prepared, allowRandomNonce: false, now })).rejects.toMatchObject({
      name: 'RandomNonceError',
    })
    expect(signer.asked).toStrictEqual([])
    await signRedeem(signer, { prepared: reload(prepared), pinned, allowRandomNonce: true, now })
    await signRedeem(signer, { prepared, now })
  })
})

describe('stored data chooses neither wallet nor chain', () => {
  const swapped = async (to: { wallet?: Address; chainId?: number }) => {
    const own = { wallet, chainId, ...to }
    const { client } = fakeService({
      client: { environment: undefined, blockchain: own.chainId === chainId ? 'base' : 'arbitrum' },
      answer: (body) => {
        const answer = honestAnswer(body)
        answer.message.domain.chainId = own.chainId
        answer.message.message.customerWallet = own.wallet
        answer.nonce = answer.message.message.nonce = redeemIntentNonce({
          customerWallet: own.wallet,
          settlementHash: settlementHash(token),
          amount: 10_000_000n,
          usdcAmount: 0n,
          salt: body.salt,
          orderKey: body.orderKey,
        })
        return answer
      },
    })
    return reload(await prepareRedeem(client, { ...request, ...own, pinned: anyChain }))
  }
  /** Creates a wallet that shows two accounts. Its user has selected the first. */
  const twoAccounts = () => {
    const one = countingSigner()
    return {
      asked: one.asked,
      request: async (call: { method: string; params?: unknown }) =>
        call.method === 'eth_accounts' ? [wallet, stranger] : one.request(call),
    }
  }

  test('a redeem of the second account is not signed unless the caller passes that account', async () => {
    const prepared = await swapped({ wallet: stranger })
    const signer = twoAccounts()
    for (const own of [undefined, wallet])
      await expect(signRedeem(signer, { prepared, pinned, request, now, wallet: own })).rejects.toMatchObject(
        { name: 'WrongSignerError', field: 'wallet' },
      )
    expect(signer.asked).toStrictEqual([])
    await signRedeem(signer, { prepared, pinned, request, now, wallet: stranger })
    expect(signer.asked).toHaveLength(1)
  })

  test('a redeem that was prepared here is signed only with its own wallet', async () => {
    const prepared = await prepare()
    await expect(signRedeem(account, { prepared, now, wallet: stranger })).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'wallet',
    })
    await signRedeem(account, { prepared, now, wallet })
  })

  test('a redeem on another chain is signed only if the caller passes that chain', async () => {
    const prepared = await swapped({ chainId: 421614 })
    await expect(signRedeem(account, { prepared, pinned: anyChain, request, now })).rejects.toMatchObject({
      name: 'PinsRequiredError',
      field: 'pinned.chainId',
    })
    await expect(signRedeem(account, { prepared, pinned, request, now })).rejects.toMatchObject({
      name: 'InvalidRedeemRequestError',
      field: 'pinned.chainId',
    })
    const publicClient = fakeChain()
    await expect(
      signRedeem(account, { prepared, pinned: anyChain, request, now, publicClient }),
    ).rejects.toMatchObject({ name: 'WrongNetworkError', field: 'publicClient' })
    await signRedeem(account, { prepared, pinned: { ...anyChain, chainId: 421614 }, request, now })
  })

  test.each(['pinned', 'request'])('null for %s is not the same as omitting it', async (field) => {
    for (const prepared of [await prepare(), reload(await prepare())])
      await expect(
        signRedeem(account, { prepared, pinned, request, now, [field]: null }),
      ).rejects.toMatchObject({ name: 'InvalidRecordError', field })
  })
})

describe('changed stored data', () => {
  test('never reaches the wallet, for a change of any field', async () => {
    const cart = [{ productName: 'Hat', productType: 'inGameProduct' as const, quantity: 1 }]
    const prepared = reload(await prepare({ ...dualRequest, chargebackProtectionData: cart }))
    const taken: string[] = []
    for (const path of leaves(prepared)) {
      const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], prepared)
      const lies = [
        undefined,
        null,
        '',
        'x',
        1,
        {},
        [],
        stranger,
        '4000001',
        typeof value === 'number' ? value + 1 : `${value} `,
      ]
      for (const lie of lies) {
        if (JSON.stringify(lie) === JSON.stringify(value)) continue
        const signer = countingSigner()
        const error = await signRedeem(signer, {
          prepared: withValue(prepared, path, lie),
          pinned,
          request: { ...dualRequest, chargebackProtectionData: cart },
          now,
        }).catch((cause: unknown) => cause)
        if (error instanceof BaseError) expect(signer.asked, path.join('.')).toStrictEqual([])
        else taken.push(`${path.join('.')} = ${String(lie)}`)
      }
    }
    expect(taken).toStrictEqual([])
  })

  test('is signed if only the order of its fields changed', async () => {
    const prepared = await prepare(dualRequest)
    const turned = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, part]) => [key, turned(part)]),
          )
    await signRedeem(account, { prepared: turned(reload(prepared)) as PreparedRedeem, pinned, now })
  })

  test('is detected if a field was added', async () => {
    const prepared = reload(await prepare())
    for (const path of [
      ['extra'],
      ['request', 'extra'],
      ['typedData', 'creditPermit', 'message', 'extra'],
      ['answer', 'extra'],
    ])
      await expect(
        signRedeem(countingSigner(), { prepared: withValue(prepared, path, 1), pinned, now }),
      ).rejects.toMatchObject({
        name: 'StoredRedeemError',
        field: `prepared.${path.join('.')}`,
      })
  })

  test('is detected by the caller’s request if it is a different, consistent redeem', async () => {
    const prepared = reload(await prepare({ transactionData: { ...token, destination: creditsContract } }))
    await expect(signRedeem(countingSigner(), { prepared, pinned, request, now })).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'request.transactionData.destination',
    })
  })

  test('causes only redeemkit errors, in any form', async () => {
    const signer = countingSigner()
    const prepared = reload(await prepare())
    const anything = fc.oneof(
      fc.anything({ maxDepth: 2, withBigInt: true, withDate: true, withNullPrototype: true }),
      fc.record({
        version: fc.constant(1),
        request: fc.anything(),
        answer: fc.anything(),
        pinned: fc.anything(),
        wallet: fc.constant(wallet),
        chainId: fc.constant(chainId),
      }),
      fc
        .tuple(fc.constantFrom(...leaves(prepared)), fc.anything({ maxDepth: 1 }))
        .map(([path, value]) => withValue(prepared, path, value)),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (data) => {
        try {
          await signRedeem(signer, { prepared: data as PreparedRedeem, pinned, now })
          expect((data as PreparedRedeem).answer).toStrictEqual(prepared.answer)
        } catch (error) {
          if (!(error instanceof BaseError)) throw error
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

test.each<[string, number, Parameters<typeof redeemedLog>[0], string]>([
  ['cancelled', 2, {}, 'RedeemCancelledError'],
  ['redeemed', 1, {}, 'AlreadyRedeemedError'],
  ['used with another seed’s credits', 1, { creditSeed: 'dust' }, 'OrderUsedError'],
])('an order that is %s is not signed', async (_, orderState, change, name) => {
  const prepared = await prepare()
  const own = { nonce: prepared.answer.nonce as Hex, kind: 0, refunded: 0n, usdcAmount: 0n }
  const publicClient = fakeChain({ orderState, logs: [redeemedLog({ ...own, ...change })] })
  const signer = countingSigner()
  await expect(signRedeem(signer, { prepared, publicClient, now })).rejects.toMatchObject({ name })
  expect(signer.asked).toStrictEqual([])
})

describe('a permit that was signed earlier', () => {
  const anybody: Hex = `0x${'77'.repeat(64)}1b`
  const chain = (signer: string) => {
    const { request: look } = fakeChain()
    const answer = `0x${signer.slice(2).toLowerCase().padStart(64, '0')}`
    return {
      request: (call: { method: string; params?: unknown }) =>
        (call.method === 'eth_call' && !isOwnCall(call) ? answer : look(call)) as never,
    }
  }

  test.each([null, '', '0x', 'x', 7])('is rejected before any prompt if it is %j', async (permitCredits) => {
    for (const publicClient of [undefined, chain(wallet)]) {
      const signer = countingSigner()
      const options = { prepared: await prepare(dualRequest), permitCredits: permitCredits as Hex, now }
      await expect(signRedeem(signer, { ...options, publicClient })).rejects.toMatchObject({
        // With a client, the account itself verifies "0x", which is never a key's signature.
        name: permitCredits === '0x' && publicClient ? 'InvalidSignatureError' : 'InvalidHexError',
        field: 'permitCredits',
      })
      expect(signer.asked).toStrictEqual([])
    }
  })

  test('is verified with a public client, before the USDC prompt', async () => {
    const signer = countingSigner()
    const options = { prepared: await prepare(dualRequest), permitCredits: anybody, now }
    for (const publicClient of [chain(stranger), fakeChain({ code: '0x60' })])
      await expect(signRedeem(signer, { ...options, publicClient })).rejects.toMatchObject({
        name: 'WrongSignatureError',
        field: 'permitCredits',
      })
    await expect(
      signRedeem(signer, { ...options, permitCredits: '0x77', publicClient: chain(wallet) }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'permitCredits' })
    expect(signer.asked).toStrictEqual([])
    const steps: string[] = []
    const { signedMessages } = await signRedeem(signer, {
      ...options,
      publicClient: chain(wallet),
      onStep: ({ step }) => void steps.push(step),
    })
    expect(signedMessages.permitCredits).toBe(anybody)
    expect([signer.asked.length, steps]).toStrictEqual([1, ['signing']])
  })

  test('is verified even without USDC, and even after a check before the click', async () => {
    const options = { prepared: await prepare(), permitCredits: anybody, hasCode: false, now }
    await expect(
      signRedeem(countingSigner(), { ...options, publicClient: chain(stranger) }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError', field: 'permitCredits' })
  })
})

test.each(['v1', 'V3', null, 1])('usdcVersion %j is rejected before any prompt', async (usdcVersion) => {
  for (const asked of [request, dualRequest]) {
    const signer = countingSigner()
    const options = { prepared: await prepare(asked), now, usdcVersion: usdcVersion as 'V1' }
    await expect(signRedeem(signer, options)).rejects.toMatchObject({
      name: 'InvalidRedeemRequestError',
      field: 'usdcVersion',
    })
    expect(signer.asked).toStrictEqual([])
  }
})

describe('wallets', () => {
  test.each([
    ['on another chain', { chainId: 1 }, 'WrongNetworkError'],
    ['with another account', { address: stranger }, 'WrongSignerError'],
  ])('%s get no prompt', async (_, change, name) => {
    const signer = countingSigner(change)
    await expect(signRedeem(signer, { prepared: await prepare(), now })).rejects.toMatchObject({ name })
    expect(signer.asked).toStrictEqual([])
  })

  test.each([4001, 5000])('a rejection (%s) is final', async (code) => {
    const signer = countingSigner({ answers: [user(code)] })
    await expect(signRedeem(signer, { prepared: await prepare(dualRequest), now })).rejects.toMatchObject({
      name: 'UserRejectedError',
    })
    expect(signer.asked).toHaveLength(1)
  })

  test('that fail are not asked again with a different method', async () => {
    const signer = countingSigner({
      answers: [() => Promise.reject(new Error('The method is not supported'))],
    })
    await expect(signRedeem(signer, { prepared: await prepare(), now })).rejects.toMatchObject({
      name: 'WalletFailedError',
    })
    expect(signer.asked).toHaveLength(1)
  })

  test.each(['', '0x', 'yes', '0x123', 7, null, {}])('%j is rejected as a signature', async (answer) => {
    const signer = countingSigner({ answers: [() => answer as Hex] })
    await expect(signRedeem(signer, { prepared: await prepare(), now })).rejects.toMatchObject({
      name: 'InvalidWalletAnswerError',
    })
  })

  test('a rejected second prompt submits nothing, and stores the first signature', async () => {
    const prepared = await prepare(dualRequest)
    const steps = vi.fn<NonNullable<signWithRequest.Options['onStep']>>()
    const signer = countingSigner({ answers: [() => `0x${'77'.repeat(65)}`, user(4001)] })
    const error = await signRedeem(signer, { prepared, now, onStep: steps }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'UserRejectedError', field: 'usdcAuthorization' })
    expect(String(error)).toContain('Nothing was submitted')
    expect(userMessage(error)).toBe(
      'You rejected the second request in your wallet. You have not been charged.',
    )
    expect(JSON.stringify(error)).not.toContain('7777777777')
    expect(steps.mock.calls.map(([step]) => step.step)).toStrictEqual(['signing', 'permitSigned', 'signing'])
    const stored = reload(steps.mock.calls[1]?.[0]) as { prepared: PreparedRedeem; permitCredits: Hex }
    const { permitCredits } = stored
    const again = countingSigner()
    const { signedMessages } = await signRedeem(again, {
      prepared: stored.prepared,
      permitCredits,
      pinned,
      now,
    })
    expect(again.asked).toHaveLength(1)
    expect(signedMessages.permitCredits).toBe(`0x${'77'.repeat(65)}`)
    expect(signedMessages.customerUsdcAuthDataV2?.signature).toHaveLength(132)
  })

  test('a second prompt that fails for another reason reports that the permit is signed', async () => {
    const signer = countingSigner({ answers: [() => `0x${'77'.repeat(65)}`, () => 'broken' as Hex] })
    await expect(signRedeem(signer, { prepared: await prepare(dualRequest), now })).rejects.toMatchObject({
      name: 'PartlySignedError',
      cause: { name: 'InvalidWalletAnswerError' },
    })
  })

  test('if a node fails after the first signature, the error contains the permit', async () => {
    const signer = countingSigner()
    const chain = fakeChain()
    const dying = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0) throw new Error('ECONNREFUSED')
        return chain.request(call)
      },
    }
    const prepared = await prepare(dualRequest)
    const error: unknown = await signRedeem(signer, { prepared, now, publicClient: dying }).catch(
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ name: 'PartlySignedError', cause: { name: 'ChainReadError' } })
    const { permitCredits } = error as { permitCredits: Hex }
    expect(shownOf(error)).not.toContain(permitCredits)
    const again = countingSigner()
    const { signedMessages } = await signRedeem(again, { prepared, permitCredits, now })
    expect([again.asked.length, signedMessages.permitCredits]).toStrictEqual([1, permitCredits])
  })

  test('a permit with an EIP-155 v that was stored when the node failed is submitted with v 27 or 28, without a node', async () => {
    const prepared = await prepare(dualRequest)
    const { permitCredits } = (await signRedeem(countingSigner(), { prepared, now })).signedMessages
    const v = 35 + 2 * chainId + (permitCredits.endsWith('1b') ? 0 : 1)
    const odd = concatHex([slice(permitCredits, 0, 64), numberToHex(v, { size: 3 })])
    const signer = countingSigner({ answers: [async () => odd] })
    const chain = fakeChain()
    const dying = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length > 0) throw new Error('ECONNREFUSED')
        return chain.request(call)
      },
    }
    const stored = vi.fn()
    await expect(
      signRedeem(signer, { prepared, now, publicClient: dying, onPermit: stored }),
    ).rejects.toMatchObject({ name: 'PartlySignedError', permitCredits: odd })
    expect(stored).toHaveBeenCalledWith(odd)
    for (const hasCode of [undefined, false]) {
      const options = { prepared, permitCredits: odd, now, hasCode }
      const { signedMessages } = await signRedeem(countingSigner(), options)
      expect(signedMessages.permitCredits).toBe(permitCredits)
    }
  })

  test("a permit that was signed earlier is verified with its signer's own scheme", async () => {
    const prepared = await prepare()
    const permitCredits: Hex = `0x${'77'.repeat(130)}`
    const given = { prepared, permitCredits, now, publicClient: fakeChain() }
    const schemeThat = (valid: boolean) => ({
      chainIds: [prepared.chainId],
      verify: async () => valid,
      verifyOnChain: async () => ({ valid }),
    })
    const signerWith = (valid: boolean) => ({ ...account, signatures: schemeThat(valid) })
    const { signedMessages } = await signRedeem(signerWith(true), given)
    expect(signedMessages.permitCredits).toBe(permitCredits)
    await expect(signRedeem(signerWith(false), given)).rejects.toMatchObject({ field: 'permitCredits' })
  })

  test('an abort by the caller between the two prompts is reported as an abort', async () => {
    const prepared = await prepare(dualRequest)
    const controller = new AbortController()
    const aborting = countingSigner({
      answers: [() => '0x77', () => new Promise<Hex>(() => controller.abort())],
    })
    await expect(signRedeem(aborting, { prepared, now, signal: controller.signal })).rejects.toMatchObject({
      name: 'RequestAbortedError',
    })
    const onStep = ({ step }: { step: string }) => {
      if (step === 'permitSigned') throw new RangeError('disk full')
    }
    const signer = countingSigner()
    await expect(signRedeem(signer, { prepared, now, onStep })).rejects.toBeInstanceOf(RangeError)
    expect(signer.asked).toHaveLength(1)
  })

  test('an abort ends the wait for the wallet', async () => {
    const controller = new AbortController()
    const signer = countingSigner({ answers: [() => new Promise<Hex>(() => controller.abort())] })
    await expect(
      signRedeem(signer, { prepared: await prepare(), now, signal: controller.signal }),
    ).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
  })

  test('an abort ends the wait for a node that never responds, before any prompt', async () => {
    const controller = new AbortController()
    const publicClient = { request: () => new Promise(() => controller.abort()) }
    const signer = countingSigner()
    await expect(
      signRedeem(signer, { prepared: await prepare(), now, publicClient, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    expect(signer.asked).toStrictEqual([])
  })

  test('an abort while onStep runs opens no prompt', async () => {
    const controller = new AbortController()
    const signer = countingSigner()
    const onStep = async () => controller.abort()
    await expect(
      signRedeem(signer, { prepared: await prepare(), now, onStep, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    await new Promise((resolve) => setTimeout(resolve))
    expect(signer.asked).toStrictEqual([])
  })

  test('an aborted signal starts nothing', async () => {
    const steps: unknown[] = []
    const signer = countingSigner()
    const onStep = (step: unknown) => void steps.push(step)
    await expect(
      signRedeem(signer, { prepared: await prepare(), now, onStep, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    expect([steps, signer.asked]).toStrictEqual([[], []])
  })

  test('an error of onStep ends the signing', async () => {
    const signer = countingSigner()
    const onStep = () => Promise.reject(new RangeError('disk full'))
    await expect(signRedeem(signer, { prepared: await prepare(), now, onStep })).rejects.toBeInstanceOf(
      RangeError,
    )
    expect(signer.asked).toStrictEqual([])
  })
})

describe('V1 and V2', () => {
  const signature = (length: number): Hex => `0x${'11'.repeat(length - 1)}1b`
  const answers = (length: number) => ({ answers: [() => signature(65), () => signature(length)] })
  // The node accepts every signature as the wallet's.
  const chain = (code: string) => {
    const fake = fakeChain({ code })
    return {
      ...fake,
      request: async (call: { method: string; params?: unknown }) =>
        call.method === 'eth_call' && !isOwnCall(call)
          ? code === '0x'
            ? recoveredWallet
            : `0x1626ba7e${'0'.repeat(56)}`
          : call.method === 'eth_chainId'
            ? `0x${chainId.toString(16)}`
            : fake.request(call),
    }
  }

  test.each([
    ['no code, 65 bytes', '0x', 65, 'auto', 'V1', 65],
    ['no code, 64 bytes', '0x', 64, 'auto', 'V1', 65],
    ['code, 65 bytes', '0x60', 65, 'auto', 'V2', 65],
    ['code (EIP-7702), 64 bytes', `0xef0100${'11'.repeat(20)}`, 64, 'auto', 'V2', 64],
    ['code, 300 bytes', '0x60', 300, 'auto', 'V2', 300],
    ['code unknown, 65 bytes', undefined, 65, 'auto', 'V2', 65],
    ['code unknown, 64 bytes', undefined, 64, 'auto', 'V2', 64],
    ['code unknown, 1 byte', undefined, 1, 'auto', 'V2', 1],
    ['V1 requested', undefined, 65, 'V1', 'V1', 65],
    ['V1 requested, 64 bytes', undefined, 64, 'V1', 'V1', 65],
    ['V2 requested', '0x', 65, 'V2', 'V2', 65],
    ['V2 requested, 64 bytes', '0x', 64, 'V2', 'V2', 65],
  ] as const)('%s', async (_, code, length, usdcVersion, version, sent) => {
    const prepared = await prepare(dualRequest)
    const publicClient = code === undefined ? undefined : chain(code)
    const { signedMessages } = await signRedeem(countingSigner(answers(length)), {
      prepared,
      publicClient,
      usdcVersion,
      now,
    })
    const { customerUsdcAuthData: one, customerUsdcAuthDataV2: two } = signedMessages
    expect([one && 'V1', two && 'V2'].filter(Boolean)).toStrictEqual([version])
    expect(one === undefined ? ((two?.signature.length ?? 0) - 2) / 2 : 65).toBe(sent)
  })

  test('V1 from an account with code is rejected before the wallet is asked', async () => {
    const signer = countingSigner()
    const prepared = await prepare(dualRequest)
    await expect(
      signRedeem(signer, { prepared, publicClient: chain('0x60'), usdcVersion: 'V1', now }),
    ).rejects.toMatchObject({
      name: 'V1NotPossibleError',
      field: 'usdcVersion',
    })
    expect(signer.asked).toStrictEqual([])
  })

  test('a permit is not changed if the account type is unknown', async () => {
    for (const odd of [`0x${'AB'.repeat(64)}00`, `0x${'ff'.repeat(64)}`, '0x01'] as Hex[]) {
      const signed = await signRedeem(countingSigner({ answers: [() => odd] }), {
        prepared: await prepare(),
        now,
      })
      expect(signed.signedMessages.permitCredits).toBe(odd)
    }
  })

  test('a node on another chain is rejected before the wallet is asked', async () => {
    const signer = countingSigner()
    const publicClient = { request: async () => '0x1' }
    await expect(signRedeem(signer, { prepared: await prepare(), publicClient, now })).rejects.toMatchObject({
      name: 'WrongNetworkError',
      field: 'publicClient',
    })
    expect(signer.asked).toStrictEqual([])
  })
})
