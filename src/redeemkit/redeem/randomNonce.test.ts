import { type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkPrepared } from './checkPrepared.ts'
import { findRedeem } from './findRedeem.ts'
import { isOpenRedeemError } from './isOpenRedeemError.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  clearNonce,
  feeMoved,
  hash,
  pinned,
  randomNonceAnswer,
  randomNonceChain,
  randomNonceService,
  redeemTransaction,
  refuse,
  request,
  shop,
  sleep,
  taggedNonce,
  validBefore,
} from './randomNonce.fixture.ts'
import {
  pinned as bound,
  chainId,
  countingSigner,
  creditsContract,
  erc20Log,
  fakeService,
  honestAnswer,
  now,
  nowSeconds,
  salt,
  stranger,
  usdcAddress,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'
import { signRedeem } from './signRedeem.ts'
import { submitRedeem } from './submitRedeem.ts'
import { waitForRedeem } from './waitForRedeem.ts'

const asked = { ...request, chainId, pinned }
const key = { wallet, nonce: taggedNonce, creditsContract, chainId, intentBound: false, validBefore } as const

describe('the pin intentBound: false', () => {
  test('sends no salt', async () => {
    const { client, received } = randomNonceService()
    await prepareRedeem(client, asked)
    expect(received.creditsAuthMsg).toStrictEqual([{ merchantId: 'shop', ...request }])
  })

  test.each([
    ['clear', clearNonce],
    ['set', taggedNonce],
  ])('accepts a nonce whose bit 255 is %s', async (_, nonce) => {
    const { client } = randomNonceService({ answer: (body) => randomNonceAnswer(body, { nonce }) })
    const prepared = await prepareRedeem(client, asked)
    expect(prepared.answer.nonce).toBe(nonce)
    expect(prepared.intentBound).toBe(false)
  })

  test('cannot be chosen by the service', async () => {
    const { client } = randomNonceService({
      answer: (body) => ({ ...randomNonceAnswer(body), intentBound: false }),
    })
    await expect(prepareRedeem(client, { ...asked, pinned: bound })).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'message.nonce',
    })
  })

  test('adds a finding that the relayer is trusted, up to this amount', async () => {
    const { findings } = await prepareRedeem(randomNonceService().client, asked)
    expect(findings).toStrictEqual([
      {
        severity: 'warning',
        code: 'RANDOM_NONCE',
        message:
          'The permit does not commit to the purchase: the service could spend up to 10.03 USD of credits on something else.',
        field: 'nonce',
      },
    ])
  })

  test('ignores a salt and an order key from the service, because nothing commits to them', async () => {
    const own = { salt: `0x${'11'.repeat(32)}`, orderKey: `0x${'f1'.repeat(12)}` } as const
    const { client } = randomNonceService({ answer: (body) => ({ ...randomNonceAnswer(body), ...own }) })
    expect(await prepareRedeem(client, asked)).toMatchObject({ intentBound: false })
  })

  test('states in the summary that the relayer is trusted', async () => {
    const { summary } = await prepareRedeem(randomNonceService().client, asked)
    expect(summary).toMatch(/you trust the service to spend it on nothing else\.$/)
  })

  test.each([
    ['another wallet', { customerWallet: stranger }, 'message.customerWallet'],
    ['another credit seed', { creditSeed: 'other' }, 'message.creditSeed'],
    ['less than the subtotal', { amount: 9_999_999 }, 'creditsRawAmount'],
    ['another expiry', { validBefore: `${nowSeconds + 601}` }, 'validBefore'],
    ['a nonce that differs from the response’s', { nonce: clearNonce }, 'nonce'],
  ])('checks all other values as strictly as without the pin: %s', async (_, change, at) => {
    const { client } = randomNonceService({
      answer: (body) => {
        const answer = randomNonceAnswer(body)
        Object.assign(answer.message.message, change)
        return answer
      },
    })
    await expect(prepareRedeem(client, asked)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: at,
    })
  })

  test('rejects a gas fee above the cap', async () => {
    const { client } = randomNonceService({
      answer: (body) => randomNonceAnswer(body, { gasFee: 1_010_000 }),
    })
    await expect(prepareRedeem(client, asked)).rejects.toMatchObject({ name: 'GasFeeTooHighError' })
  })

  test('can be stored, and is accepted only with the same pin', async () => {
    const stored = JSON.parse(JSON.stringify(await prepareRedeem(randomNonceService().client, asked)))
    expect(checkPrepared(stored, { pinned, request, wallet, now }).intentBound).toBe(false)
    expect(() => checkPrepared(stored, { pinned: bound, request, wallet, now })).toThrow(
      expect.objectContaining({ name: 'PreparedMismatchError', field: 'pinned.intentBound' }),
    )
  })

  test('accepts no salt from the caller', async () => {
    const salted = { ...asked, signer: countingSigner(), salt } as redeem.Options
    await expect(redeem(randomNonceService().client, salted)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'salt',
    })
  })
})

describe('a response without usdcAuthorization', () => {
  const paid = { ...asked, usdcAmount: { cents: 400 } }

  test('is completed from the caller’s terms', async () => {
    const { typedData } = await prepareRedeem(randomNonceService().client, paid)
    expect(typedData.usdcAuthorization).toMatchObject({
      primaryType: 'ReceiveWithAuthorization',
      domain: { verifyingContract: usdcAddress, chainId },
      message: {
        from: wallet,
        to: creditsContract,
        value: '4000000',
        validAfter: '0',
        validBefore,
        nonce: taggedNonce,
      },
    })
  })

  test('is completed with the pinned type', async () => {
    const usdcAuthorizationType = 'TransferWithAuthorization'
    const prepared = await prepareRedeem(randomNonceService().client, {
      ...paid,
      pinned: { ...pinned, usdcAuthorizationType },
    })
    expect(prepared.typedData.usdcAuthorization?.primaryType).toBe(usdcAuthorizationType)
    expect(prepared.findings.map(({ code }) => code)).toContain('TRANSFER_AUTHORIZATION')
  })

  test('is completed even without the pin if random nonces are allowed', async () => {
    const { client } = fakeService({
      answer: (body) => {
        const { orderKey: _, ...own } = randomNonceAnswer(body, { nonce: clearNonce })
        return own
      },
    })
    const { typedData } = await prepareRedeem(client, { ...paid, pinned: bound, allowRandomNonce: true })
    expect(typedData.usdcAuthorization).toMatchObject({
      primaryType: 'ReceiveWithAuthorization',
      message: { to: creditsContract, value: '4000000', nonce: clearNonce },
    })
  })

  test('is completed only if the field is missing: an authorization from the service is checked', async () => {
    const { client } = fakeService({
      answer: (body) => {
        const { usdcAuthorization } = honestAnswer({ ...body, salt })
        const own = { nonce: taggedNonce, value: '4000001' }
        Object.assign(Object(usdcAuthorization).message.message, own)
        Object.assign(Object(usdcAuthorization).messageData, own)
        return { ...randomNonceAnswer(body), usdcAuthorization }
      },
    })
    await expect(prepareRedeem(client, paid)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'usdcAuthorization.message.value',
    })
  })

  test('is signed and sent', async () => {
    const { client, received } = randomNonceService()
    await redeem(client, {
      ...paid,
      signer: countingSigner(),
      publicClient: randomNonceChain({ transactions: [redeemTransaction()] }),
      sleep,
    })
    expect(received.sendGaslessTx[0]).toMatchObject({
      nonce: taggedNonce,
      signedMessages: { customerUsdcAuthData: { nonce: taggedNonce, value: '4000000' } },
    })
  })

  test.each([
    ['an unknown type', 'PermitTransfer'],
    ['a number', 7],
  ])('cannot be completed with %s as the pinned type', async (_, type) => {
    await expect(
      prepareRedeem(randomNonceService().client, {
        ...paid,
        pinned: { ...pinned, usdcAuthorizationType: type as 'TransferWithAuthorization' },
      }),
    ).rejects.toMatchObject({ field: 'pinned.usdcAuthorizationType' })
  })
})

describe('the outcome', () => {
  test('is read from the receipt of the reported hash', async () => {
    const { client } = randomNonceService()
    const publicClient = randomNonceChain({ transactions: [redeemTransaction()] })
    const { outcome } = await redeem(client, { ...asked, signer: countingSigner(), publicClient, sleep })
    expect(outcome).toMatchObject({
      intentBound: false,
      hash,
      blockNumber: 990n,
      carriesPermit: true,
      movements: [
        {
          standard: 'ERC-20',
          direction: 'paid',
          contract: usdcAddress,
          from: creditsContract,
          to: stranger,
          amount: 10_000_000n,
        },
      ],
    })
  })

  test('waits until the transaction is mined', async () => {
    const publicClient = randomNonceChain()
    let looks = 0
    const outcome = await waitForRedeem(publicClient, {
      ...key,
      hash,
      now,
      sleep: async () => {
        if (++looks === 3) publicClient.state.transactions.push(redeemTransaction())
      },
    })
    expect(outcome.hash).toBe(hash)
    expect(looks).toBe(3)
  })

  test('waits for the requested confirmations', async () => {
    const publicClient = randomNonceChain({ transactions: [redeemTransaction({ block: 1_000n })] })
    let slept = 0
    await waitForRedeem(publicClient, {
      ...key,
      hash,
      confirmations: 3,
      now,
      sleep: async () => {
        slept++
        publicClient.state.blockNumber++
      },
    })
    expect(slept).toBe(2)
  })

  test('does not count confirmations of a block that was removed', async () => {
    const chain = randomNonceChain({ transactions: [redeemTransaction()] })
    const reorganised = {
      request: async (call: { method: string; params?: unknown }) => {
        const answer = await chain.request(call)
        const at = JSON.stringify(call.params)
        return call.method === 'eth_getBlockByNumber' && at.includes(toHex(990n))
          ? { ...Object(answer), hash: `0x${'ee'.repeat(32)}` }
          : answer
      },
    }
    await expect(
      waitForRedeem(reorganised, { ...key, hash, confirmations: 3, timeoutMs: 3_000, now, sleep }),
    ).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
      message: expect.stringContaining('it does not have 3 confirmations yet'),
    })
  })

  test('is found in a block that was searched before it was reorganised', async () => {
    const chain = randomNonceChain()
    const outcome = await waitForRedeem(chain, {
      ...key,
      now,
      sleep: async () => void chain.state.transactions.push(redeemTransaction()),
    })
    expect(outcome.hash).toBe(hash)
  })

  test('waits for confirmations of a redeem that is mined as its permit expires', async () => {
    const publicClient = randomNonceChain({ transactions: [redeemTransaction({ block: 1_000n })] })
    publicClient.state.timestamp = BigInt(validBefore)
    const outcome = await waitForRedeem(publicClient, {
      ...key,
      hash,
      confirmations: 3,
      now,
      sleep: async () => void publicClient.state.blockNumber++,
    })
    expect(outcome.hash).toBe(hash)
  })

  test('is looked up again after the permit has expired, because another node in a pool may know it', async () => {
    const publicClient = randomNonceChain()
    publicClient.state.timestamp = BigInt(validBefore)
    const outcome = await waitForRedeem(publicClient, {
      ...key,
      hash,
      now,
      sleep: async () => void publicClient.state.transactions.push(redeemTransaction()),
    })
    expect(outcome.hash).toBe(hash)
  })

  test.each([
    ['does not know', () => null],
    ['returns nothing for', () => undefined],
    [
      'fails for',
      () => {
        throw new Error('The method eth_getTransactionByHash does not exist.')
      },
    ],
  ])('is read from the receipt alone if the node %s the transaction', async (_, answer) => {
    const chain = randomNonceChain({ transactions: [redeemTransaction()] })
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) =>
        call.method === 'eth_getTransactionByHash' ? answer() : chain.request(call),
    }
    const expected = { hash, carriesPermit: false, movements: [{ direction: 'paid', amount: 10_000_000n }] }
    let looks = 1
    const count = async () => void looks++
    expect(await waitForRedeem(publicClient, { ...key, hash, now, sleep: count })).toMatchObject(expected)
    // Another node in a pool may know the transaction.
    expect(looks).toBe(3)
    expect((await findRedeem(publicClient, { ...key, hash })).outcome).toMatchObject(expected)
  })

  test.each([
    ['logs', null],
    ['blockHash', '0x12'],
    ['transactionHash', null],
  ])('is not read from a receipt with %s set to %j', async (name, value) => {
    const chain = randomNonceChain({ transactions: [redeemTransaction()] })
    const request = async (call: { method: string; params?: unknown }) => {
      const answer = await chain.request(call)
      return call.method === 'eth_getTransactionReceipt' ? { ...Object(answer), [name]: value } : answer
    }
    await expect(findRedeem({ request }, { ...key, hash })).rejects.toMatchObject({
      name: 'ChainReadError',
    })
  })

  test('is not read from the receipt of another transaction', async () => {
    const chain = randomNonceChain({ transactions: [redeemTransaction()] })
    const wrong = {
      request: async (call: { method: string; params?: unknown }) => {
        const answer = await chain.request(call)
        return call.method === 'eth_getTransactionReceipt'
          ? { ...Object(answer), transactionHash: `0x${'ee'.repeat(32)}` }
          : answer
      },
    }
    expect((await findRedeem(wrong, { ...key, hash })).state).toBe('unknown')
  })

  test.each([
    ['directly', creditsContract],
    ['through another contract', stranger],
  ])('reports that the transaction, which was sent %s, reverted', async (_, to) => {
    const publicClient = randomNonceChain({
      transactions: [redeemTransaction({ to, status: '0x0', logs: [] })],
    })
    const error = await waitForRedeem(publicClient, { ...key, hash, now, sleep }).catch((one) => one)
    expect(await findRedeem(publicClient, { ...key, hash })).not.toHaveProperty('pending')
    expect(error).toMatchObject({ name: 'RedeemRevertedError', intentBound: false })
    expect(isOpenRedeemError(error)).toBe(true)
  })

  test('is read from a transaction that moved USDC out of the contract, but does not contain the permit', async () => {
    const publicClient = randomNonceChain({
      transactions: [
        redeemTransaction({
          input: '0x11223344',
          to: stranger,
          logs: [
            { ...erc20Log(wallet, stranger, 1n), data: '0x1' }, // malformed
            erc20Log(wallet, creditsContract, 4_000_000n, usdcAddress),
            erc20Log(creditsContract, stranger, 10_000_000n, usdcAddress),
          ],
        }),
      ],
    })
    const outcome = await waitForRedeem(publicClient, { ...key, hash, now, sleep })
    expect('carriesPermit' in outcome && outcome.carriesPermit).toBe(false)
  })

  test.each<[string, Parameters<typeof redeemTransaction>[0]]>([
    ['a call', {}],
    [
      'one of several calls',
      {
        to: stranger,
        calls: [
          { to: stranger, input: '0x' },
          { to: creditsContract, input: '0x' },
        ],
      },
    ],
  ])("is not read from another wallet's redeem that the service reports, in %s", async (_, change) => {
    const other = redeemTransaction({ nonce: clearNonce, ...change })
    const seen = await findRedeem(randomNonceChain({ transactions: [other] }), { ...key, hash })
    expect(seen.state).toBe('unknown')
  })

  test('is not read from an unrelated transaction', async () => {
    const other = redeemTransaction({
      input: '0x11223344',
      to: stranger,
      logs: [erc20Log(wallet, stranger, 10_000_000n, usdcAddress)],
    })
    const publicClient = randomNonceChain({ transactions: [other] })
    await expect(
      waitForRedeem(publicClient, { ...key, hash, timeoutMs: 3_000, now, sleep }),
    ).rejects.toMatchObject({
      name: 'RedeemTimeoutError',
      nonce: taggedNonce,
      message: expect.stringContaining(`${hash} has not been mined, or is not this redeem`),
    })
  })

  test('is found by its permit if the hash was replaced', async () => {
    const replaced = `0x${'cc'.repeat(32)}` as const
    const publicClient = randomNonceChain({ transactions: [redeemTransaction({ hash: replaced })] })
    expect((await waitForRedeem(publicClient, { ...key, hash, now, sleep })).hash).toBe(replaced)
  })

  test("ignores another wallet's redeem", async () => {
    const publicClient = randomNonceChain({ transactions: [redeemTransaction({ nonce: clearNonce })] })
    const { state } = await findRedeem(publicClient, key)
    expect(state).toBe('unknown')
  })
})

describe('findRedeem after a lost response', () => {
  test('finds the transaction that carries the permit', async () => {
    const publicClient = randomNonceChain({ transactions: [redeemTransaction()] })
    expect(await findRedeem(publicClient, key)).toMatchObject({
      state: 'redeemed',
      outcome: { hash, carriesPermit: true },
      text: `Transaction ${hash} succeeded. It contains this permit. This contract does not report what was charged.`,
    })
  })

  test.each([null, undefined])(
    'finds the transaction among others, although the node returns %s for one of them',
    async (none) => {
      const other: Hex = `0x${'cc'.repeat(32)}`
      const lost: Hex = `0x${'dd'.repeat(32)}`
      const { logs } = redeemTransaction()
      const chain = randomNonceChain({
        transactions: [
          redeemTransaction({ hash: other, nonce: clearNonce, logs: [...logs, ...logs] }),
          redeemTransaction({ hash: lost }),
          redeemTransaction(),
        ],
      })
      const request = async (call: { method: string; params?: unknown }) => {
        const answer = await chain.request(call)
        if (call.method === 'eth_getLogs') return [{ ...logs[0], transactionHash: null }, ...Object(answer)]
        return call.method === 'eth_getTransactionByHash' && JSON.stringify(call.params).includes(lost)
          ? none
          : answer
      }
      expect((await findRedeem({ request }, key)).outcome?.hash).toBe(hash)
      const read = chain.calls.filter(({ method }) => method === 'eth_getTransactionByHash')
      // Each transaction is read once. The redeem's transaction is read again for its outcome.
      expect(read.map(({ params }) => params)).toEqual([[other], [lost], [hash], [hash]])
    },
  )

  test('searches back to the first block if the expiry of the permit is unknown', async () => {
    const publicClient = randomNonceChain({ transactions: [redeemTransaction({ block: 1n })] })
    publicClient.state.blockNumber = 9_000n
    const { validBefore: _, ...rest } = key
    expect((await findRedeem(publicClient, rest)).outcome?.hash).toBe(hash)
    const unknown = await findRedeem(randomNonceChain(), rest)
    expect(unknown).toMatchObject({ over: undefined })
    expect('text' in unknown && unknown.text).toMatch(/The permit’s expiry is unknown without validBefore\.$/)
  })

  test.each([1n, 20n, 32n, 2_000n])(
    'on a chain of %s blocks, a second look-up finds a new redeem',
    async (blockNumber) => {
      const chain = randomNonceChain()
      chain.state.blockNumber = blockNumber
      const outcome = await waitForRedeem(chain, {
        ...key,
        now,
        sleep: async () => {
          chain.state.blockNumber++
          chain.state.transactions.push(redeemTransaction({ block: chain.state.blockNumber }))
        },
      })
      expect(outcome.hash).toBe(hash)
      const logs = chain.calls.filter(({ method }) => method === 'eth_getLogs')
      expect(logs).toHaveLength(blockNumber > 999n ? 3 : 2)
    },
  )

  test('a later look-up reads the new blocks, and again the 32 blocks before them', async () => {
    const chain = randomNonceChain()
    const waiting = waitForRedeem(chain, {
      ...key,
      now,
      timeoutMs: 2_000,
      sleep: async () => {
        chain.state.blockNumber += 100n
      },
    })
    await expect(waiting).rejects.toThrow('from block 0 to 1200, in the whole lifetime of the permit')
    const logs = chain.calls.filter(({ method }) => method === 'eth_getLogs')
    expect(
      logs.map(({ params }) => {
        const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }]
        return [Number(fromBlock), Number(toBlock)]
      }),
    ).toEqual([
      [1, 1_000],
      [0, 0],
      [968, 1_100],
      [1_068, 1_200],
    ])
  })

  test('reports a transaction that is not mined yet as pending, and searches nothing', async () => {
    const chain = randomNonceChain({ transactions: [redeemTransaction({ block: 1_001n })] })
    const look = () => findRedeem(chain, { ...key, hash })
    expect(await look()).toMatchObject({
      state: 'unknown',
      pending: true,
      text: expect.stringMatching(`^${hash} is pending\\. `),
    })
    expect(chain.calls.map(({ method }) => method)).not.toContain('eth_getLogs')
    chain.state.timestamp = BigInt(validBefore)
    const ended = await look()
    expect(ended).toMatchObject({ state: 'unknown', over: true, searched: { complete: true } })
    expect(ended).not.toHaveProperty('pending')
    chain.state.blockNumber++
    expect(await look()).toMatchObject({ state: 'redeemed', outcome: { hash } })
  })

  test('finds the redeem with a node that serves few blocks at a time', async () => {
    const publicClient = randomNonceChain({ transactions: [redeemTransaction({ block: 905n })] })
    publicClient.state.widest = 100n
    expect((await findRedeem(publicClient, key)).outcome?.hash).toBe(hash)
  })

  test('reports what is unknown, and until when the redeem may execute', async () => {
    const found = await findRedeem(randomNonceChain(), key)
    expect(found).toMatchObject({
      state: 'unknown',
      over: false,
      searched: { fromBlock: 0n, toBlock: 1_000n, complete: true },
    })
    expect('text' in found && found.text).toBe(
      'The hash is unknown, and no transaction with this permit moved USDC out of the credits contract from block 0 to 1000, in the whole lifetime of the permit. This contract does not report the state of a nonce. The permit may execute until 2027-01-15T08:10:00.000Z.',
    )
  })

  test.each([
    ['a second before the expiry', -1n, false],
    ['at the expiry', 0n, true],
    ['a second after the expiry', 1n, true],
  ])('reports whether the permit has expired: %s', async (_, after, over) => {
    const publicClient = randomNonceChain()
    publicClient.state.timestamp = BigInt(validBefore) + after
    expect(await findRedeem(publicClient, key)).toMatchObject({ state: 'unknown', over })
  })

  test('reports that the node rejected the search', async () => {
    const publicClient = randomNonceChain()
    publicClient.state.widest = 0n
    const found = await findRedeem(publicClient, key)
    expect(found).not.toHaveProperty('searched')
    expect('text' in found && found.text).toMatch(
      /not all transfers out of the credits contract could be checked.* The node did not respond to eth_getLogs\.$/,
    )
  })

  test('rejects a node on another chain', async () => {
    await expect(findRedeem(randomNonceChain(), { ...key, chainId: 8453 })).rejects.toMatchObject({
      name: 'WrongNetworkError',
    })
  })

  test('searches nothing on a chain without USDC', async () => {
    const chain = randomNonceChain({ transactions: [redeemTransaction()] })
    const tempo = {
      request: async (call: { method: string; params?: unknown }) =>
        call.method === 'eth_chainId' ? toHex(42_431) : chain.request(call),
    }
    const found = await findRedeem(tempo, { ...key, chainId: 42_431 })
    expect(found.state).toBe('unknown')
    expect(found).not.toHaveProperty('searched')
  })

  test('reports that there were too many transfers to search', async () => {
    const transactions = Array.from({ length: 501 }, (_, at) =>
      redeemTransaction({ hash: toHex(at, { size: 32 }), nonce: clearNonce }),
    )
    expect(await findRedeem(randomNonceChain({ transactions }), key)).not.toHaveProperty('searched')
    transactions.pop()
    expect(await findRedeem(randomNonceChain({ transactions }), key)).toHaveProperty('searched')
  })

  // A permit is valid for at most an hour. Blocks of two seconds are read in steps of a thousand.
  test.each([
    ['in the second step', 600n, 98_001n],
    ['in the first block of the first step', 1_602n, 98_001n],
    ['a second after it', 1_603n, 99_001n],
  ])('reads no further back than a permit’s maximum lifetime: signed %s', async (_, lives, fromBlock) => {
    const publicClient = randomNonceChain()
    publicClient.state.blockNumber = 100_000n
    const found = await findRedeem(publicClient, { ...key, validBefore: BigInt(nowSeconds) + lives })
    expect(found).toMatchObject({ searched: { fromBlock, complete: true } })
  })
})

describe('one purchase with random nonces', () => {
  test('sends the same permit again after a lost response', async () => {
    const service = randomNonceService({
      submit: (_, attempt) => {
        if (attempt < 3) throw new TypeError('fetch failed')
        return Response.json({ hash })
      },
    })
    const at = shop(service)
    at.chain.state.transactions = []
    await at.buy({ publicClient: undefined }).catch(() => undefined)
    await at.buy({ publicClient: undefined }).catch(() => undefined)
    await at.buy({ publicClient: undefined })
    expect(at.received.sendGaslessTx.map(({ nonce }) => nonce)).toStrictEqual([
      taggedNonce,
      taggedNonce,
      taggedNonce,
    ])
    expect(at.signer.asked).toHaveLength(1)
  })

  test('signs a second permit after a changed fee, but only once', async () => {
    const at = shop(
      randomNonceService({
        submit: (_, attempt) => (attempt === 1 ? refuse(feeMoved) : Response.json({ hash })),
      }),
      randomNonceChain({ transactions: [redeemTransaction({ nonce: clearNonce })] }),
    )
    const { nonce } = await at.buy()
    expect(nonce).toBe(clearNonce)
    expect(at.signer.asked).toHaveLength(2)
  })

  test('never signs a third permit before the first two expire', async () => {
    const at = shop(randomNonceService({ submit: () => refuse(feeMoved) }))
    for (let click = 0; click < 3; click++)
      await expect(at.buy()).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
    expect(at.signer.asked).toHaveLength(2)
    expect(new Set(at.received.sendGaslessTx.map(({ nonce }) => nonce)).size).toBe(2)
  })

  test('signs no second permit if the response to the first was lost', async () => {
    const at = shop(
      randomNonceService({
        submit: (_, attempt) => {
          if (attempt === 1) throw new TypeError('fetch failed')
          return refuse(feeMoved)
        },
      }),
    )
    for (let click = 0; click < 3; click++) await at.buy().catch(() => undefined)
    expect(at.signer.asked).toHaveLength(1)
  })

  test.each([
    ['INSUFFICIENT_CREDITS', 'Wallet does not have enough credits to complete redeem request'],
    ['SIMULATION_FAILED', 'INSUFFICIENT FUNDS TO REDEEM'],
    ['something else', 'Something else'],
  ])('sends the same permit again after a rejection: %s', async (_, details) => {
    let refuses = true
    const at = shop(
      randomNonceService({ submit: () => (refuses ? refuse(details) : Response.json({ hash })) }),
    )
    await expect(at.buy()).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
    await expect(at.buy()).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
    refuses = false
    at.chain.state.transactions.push(redeemTransaction())
    expect((await at.buy()).nonce).toBe(taggedNonce)
    expect(at.signer.asked).toHaveLength(1)
  })

  test('starts over once a permit that was rejected every time has expired', async () => {
    const at = shop(
      randomNonceService({
        submit: (_, attempt) => (attempt === 1 ? refuse('No') : Response.json({ hash })),
      }),
    )
    await at.buy().catch(() => undefined)
    at.chain.state.timestamp = BigInt(validBefore)
    at.chain.state.transactions.push(redeemTransaction({ nonce: clearNonce }))
    expect((await at.buy()).nonce).toBe(clearNonce)
    expect(at.signer.asked).toHaveLength(2)
  })

  test('does not start over while the outcome of the first permit is unknown', async () => {
    const at = shop(
      randomNonceService({
        submit: () => {
          throw new TypeError('fetch failed')
        },
      }),
    )
    await at.buy().catch(() => undefined)
    at.chain.state.timestamp = BigInt(validBefore)
    const error = await at.buy().catch((one) => one)
    expect(error).toMatchObject({
      name: 'RedeemTimeoutError',
      fix: expect.stringMatching(/Do not pay again yet/),
    })
    expect(at.signer.asked).toHaveLength(1)
  })

  test('continues from the chain’s state after a lost response', async () => {
    const at = shop(
      randomNonceService({
        submit: () => {
          throw new TypeError('fetch failed')
        },
      }),
    )
    await at.buy().catch(() => undefined)
    at.chain.state.transactions.push(redeemTransaction())
    expect((await at.buy()).hash).toBe(hash)
    expect(at.signer.asked).toHaveLength(1)
    expect(at.received.sendGaslessTx).toHaveLength(3)
  })

  test('stores the returned hash, to follow it after a reload', async () => {
    const at = shop()
    await expect(at.buy()).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    // found only by its hash, because its call data does not contain the permit
    at.chain.state.transactions.push(redeemTransaction({ input: '0x11223344', to: stranger }))
    expect((await at.buy()).hash).toBe(hash)
    expect(at.received.sendGaslessTx).toHaveLength(1)
  })

  test('after a rejected second prompt, the first permit is sent again, and the second may still be signed', async () => {
    const no = Object.assign(new Error('User rejected the request.'), { code: 4001 })
    const reluctant = countingSigner({
      answers: [
        undefined as never, // signs
        () => {
          throw no
        },
      ],
    })
    const at = shop(
      randomNonceService({
        submit: ({ nonce }) => (nonce === taggedNonce ? refuse(feeMoved) : Response.json({ hash })),
      }),
    )
    await expect(at.buy({ signer: reluctant })).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
    const third: Hex = `0x${'a3'.repeat(32)}`
    at.chain.state.transactions.push(redeemTransaction({ nonce: third }))
    expect((await at.buy()).nonce).toBe(third)
    expect(at.received.sendGaslessTx.map(({ nonce }) => nonce)).toStrictEqual([
      taggedNonce,
      taggedNonce,
      third,
    ])
    expect(at.signer.asked).toHaveLength(1)
  })

  test('rejects a redeem above the balances that the service reports, before any prompt', async () => {
    const at = shop(randomNonceService({ balances: { credits: { cents: 999 }, usdc: { cents: 0 } } }))
    await expect(at.buy()).rejects.toMatchObject({ name: 'InsufficientFundsError', asset: 'credits' })
    expect(at.signer.asked).toHaveLength(0)
  })

  test('rejects a pinned address without code, before any prompt', async () => {
    const at = shop(randomNonceService(), randomNonceChain({ code: '0x' }))
    await expect(at.buy()).rejects.toMatchObject({ name: 'ChainReadError', field: 'creditsContract' })
    expect(at.signer.asked).toHaveLength(0)
  })
})

test('signRedeem, submitRedeem and waitForRedeem follow the hash', async () => {
  const { client } = randomNonceService()
  const publicClient = randomNonceChain({ transactions: [redeemTransaction()] })
  const prepared = await prepareRedeem(client, asked)
  const signed = await signRedeem(countingSigner(), { prepared, pinned, request, publicClient, now })
  const submitted = await submitRedeem(client, { signed })
  expect(submitted.intentBound).toBe(false)
  const outcome = await waitForRedeem(publicClient, { ...submitted, now, sleep })
  expect(outcome).toMatchObject({ intentBound: false, hash })
})
