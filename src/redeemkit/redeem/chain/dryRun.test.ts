import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  type Hex,
  keccak256,
  parseAbi,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi as contractAbi } from '../../../../contracts/generated/Credits.ts'
import { agreeableCode } from '../../../sandbox/simulation/redeemRequest.ts'
import { redeemIntentNonce, settlementHash } from '../../evm/creditPermit/redeemIntentNonce.ts'
import { normal } from '../../evm/transactionData/builders.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import {
  chainId,
  countingSigner,
  creditsContract,
  fakeService,
  honestAnswer,
  pinned,
  stranger,
  token,
  usdcAddress,
  wallet,
} from '../redeem.fixture.ts'
import { redeem } from '../redeem.ts'
import { creditsAbi } from './creditsAbi.ts'

const shopAbi = parseAbi(['function buy(uint256 price)', 'error SoldOut(uint256 left)'])
const buy = normal({ to: stranger, abi: shopAbi, functionName: 'buy', args: [10_000_000n] })
const selector = toFunctionSelector('buy(uint256)')

/** Creates a fake node with a configurable revert, whitelist and balances. */
function node(
  change: {
    left?: Hex
    error?: unknown
    allowed?: boolean
    entries?: readonly { selector: Hex; allowed: boolean; anySelector?: boolean }[] | Error
    credits?: bigint
    usdc?: bigint
    orderState?: bigint
    chain?: number
    /** The result of the simulated `redeem`. */
    answer?: unknown
    /** Whether the node silently ignores the code at the wallet, or fails when it runs. */
    ignoresCode?: boolean | 'fails'
    /** The contract's response about the whitelist. */
    whitelisted?: Hex | 'reverts'
    /** Whether the node fails every call. */
    down?: boolean
  } = {},
) {
  const { credits = 10n ** 9n, usdc = 10n ** 9n, orderState = 0n, allowed = true, entries = [] } = change
  const tried: unknown[][] = []
  const asked: unknown[] = []
  const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
  return {
    tried,
    /** The contracts that were called. */
    asked,
    request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      if (method === 'eth_chainId') return `0x${(change.chain ?? chainId).toString(16)}`
      if (method === 'eth_getLogs') {
        if (entries instanceof Error) throw entries
        const topics = encodeEventTopics({
          abi: creditsAbi,
          eventName: 'WhitelistSet',
          args: {
            creditSeedHash: keccak256(stringToHex('my-shop')),
            chainId: BigInt(chainId),
            target: stranger,
          },
        })
        // The query must match only events of this contract, credit seed, chain and target.
        expect(params).toEqual([{ address: creditsContract, topics, fromBlock: '0x0', toBlock: 'latest' }])
        return entries.map((entry) => ({
          topics,
          data: encodeAbiParameters(
            [{ type: 'string' }, { type: 'bytes4' }, { type: 'bool' }, { type: 'bool' }, { type: 'uint256' }],
            ['my-shop', entry.selector, entry.anySelector === true, entry.allowed, 100_000n],
          ),
        }))
      }
      if (method !== 'eth_call') throw new Error(`This node has no ${method}.`)
      const [{ to, data }] = params as [{ to: string; data: Hex }]
      asked.push(to)
      if (change.down) throw new TypeError('Failed to fetch')
      switch (data.slice(0, 10)) {
        case '0x3315505b':
          return word(credits)
        case '0x70a08231':
          return word(usdc)
        case '0x40f2aba9':
          return `${word(orderState)}${'0'.repeat(128)}`
        case toFunctionSelector('whitelisted(string,uint256,address,bytes4)'):
          if (change.whitelisted === 'reverts') throw { code: 3, message: 'execution reverted' }
          return (
            change.whitelisted ?? encodeAbiParameters([{ type: 'bool' }, { type: 'uint256' }], [allowed, 0n])
          )
      }
      if (data === '0x1626ba7e' && change.ignoresCode === 'fails') throw new Error('down')
      if (data === '0x1626ba7e') return change.ignoresCode ? '0x' : data.padEnd(66, '0')
      tried.push(params as unknown[])
      if (change.error !== undefined) throw change.error
      if (change.left === undefined) return 'answer' in change ? change.answer : '0x'
      throw { code: 3, message: 'execution reverted', data: change.left }
    },
  }
}

/** Creates a service for every transaction type. The fixture's service supports only `token`. */
const service = (validFor = 600) =>
  fakeService({
    answer: (body) => {
      const answer = honestAnswer({ ...body, transactionData: token }, { validFor })
      const usdcAmount = BigInt(body.usdcAmount?.cents ?? 0) * 10_000n
      const nonce = redeemIntentNonce({
        customerWallet: wallet,
        settlementHash: settlementHash(body.transactionData as never), // the fixture's type allows only `token`
        amount: 10_000_000n,
        usdcAmount,
        salt: body.salt,
        orderKey: body.orderKey,
      })
      return JSON.parse(JSON.stringify(answer).replaceAll(answer.nonce, nonce))
    },
  })

const request = { chainId, subtotal: { cents: 1000 }, transactionData: buy, pinned }
const findingsOf = async (
  change: Parameters<typeof node>[0],
  options: Partial<Parameters<typeof prepareRedeem>[1]> = {},
) => {
  const dryRun = node(change)
  const prepared = await prepareRedeem(service().client, { ...request, dryRun, ...options })
  expect(prepared.findings).toEqual(prepared.dryRun)
  return prepared.findings.map(({ code, message }) => [code, message] as const)
}
const revertOf = (abi: Abi, errorName: string, args: readonly unknown[]): Hex =>
  encodeErrorResult({ abi, errorName, args })
const callFailed = (reason: Hex) => revertOf(contractAbi, 'CallFailed', [stranger, reason])

describe('prepareRedeem with a dry run', () => {
  test('runs the redeem from an unrelated relayer, without a fee, with code at the wallet that approves signatures', async () => {
    const dryRun = node()
    const prepared = await prepareRedeem(service().client, { ...request, dryRun })
    expect(prepared).toMatchObject({ findings: [], dryRun: [] })
    const [[call, block, override]] = dryRun.tried as [[{ from: string; to: string }, unknown, unknown]]
    expect(call.to).toBe(creditsContract)
    expect(call.from).not.toBe(wallet)
    expect(block).toBe('latest')
    expect(override).toEqual({ [wallet]: { code: agreeableCode } })
    expect(dryRun.asked).not.toContain(usdcAddress)
  })

  test.each([
    ['credits', 0, { method: 0, signature: '0x' }],
    ['credits and USDC', 400, { method: 4, signature: '0x01' }],
  ])('runs the redeem that would be signed, paid with %s', async (_, cents, usdcAuthorization) => {
    const dryRun = node()
    const usdcAmount = cents > 0 ? { usdcAmount: { cents } } : {}
    const { salt, answer } = await prepareRedeem(service().client, { ...request, ...usdcAmount, dryRun })
    const [[{ data }]] = dryRun.tried as [[{ data: Hex }]]
    const { args } = decodeFunctionData({ abi: contractAbi, data })
    expect(args).toMatchObject([
      {
        permit: { customerWallet: wallet, nonce: answer.nonce },
        intent: { amount: 10_000_000n, usdcAmount: BigInt(cents) * 10_000n, salt },
        usdcAuthorization,
        gasFee: 0n,
      },
    ])
    expect(dryRun.asked.includes(usdcAddress)).toBe(cents > 0)
  })

  test('is optional: without it, the result has no `dryRun`', async () => {
    const prepared = await prepareRedeem(service().client, request)
    expect(prepared).not.toHaveProperty('dryRun')
  })

  test('decodes the revert reason with the ABI from the builder', async () => {
    const left = callFailed(revertOf(shopAbi, 'SoldOut', [0n]))
    expect(await findingsOf({ left })).toEqual([
      ['CALL_REVERTS', `The call to ${stranger} would revert: SoldOut: left 0.`],
    ])
  })

  test('quotes the contract’s own text', async () => {
    const left = callFailed(revertOf(parseAbi(['error Error(string)']), 'Error', ['fine. Sign it']))
    expect(await findingsOf({ left })).toEqual([
      ['CALL_REVERTS', `The call to ${stranger} would revert: "fine. Sign it".`],
    ])
  })

  test.each([
    ['NoTokensArrived', [stranger], 'MINTS_WITHOUT_HOOK'],
    ['TokenIdNotReturned', [0n], 'RETURNS_NO_ID'],
    ['TokenNotReceived', [stranger, 5n], 'WRONG_NFT_ID'],
    ['NftContractNotWhitelisted', ['my-shop', stranger], 'NOT_WHITELISTED'],
    ['ForbiddenSelector', [selector], 'NOT_WHITELISTED'],
    ['PermitExpired', [1n, 2n], 'EXPIRED'],
    ['EnforcedPause', [], 'CALL_REVERTS'],
  ])('reports %s with its own code', async (name, args, code) => {
    const [found] = await findingsOf({ left: revertOf(contractAbi, name, args) })
    expect(found).toEqual([code, expect.stringContaining(`The redeem would fail: ${name}`)])
  })

  test('reports a contract that is not on the whitelist', async () => {
    const left = revertOf(contractAbi, 'NotWhitelisted', ['my-shop', BigInt(chainId), stranger, selector])
    expect(await findingsOf({ left, allowed: false })).toEqual([
      [
        'NOT_WHITELISTED',
        `Contract ${stranger} on chain ${chainId} is not on the whitelist of "my-shop" for function ${selector}.`,
      ],
    ])
  })

  test('lists the whitelisted functions if the called function is not whitelisted', async () => {
    const entries = [
      { selector: '0x11111111', allowed: true },
      { selector: '0x22222222', allowed: true },
      { selector: '0x22222222', allowed: false },
    ] as const
    expect(await findingsOf({ allowed: false, entries })).toEqual([
      [
        'SELECTOR_NOT_WHITELISTED',
        `Contract ${stranger} is on the whitelist of "my-shop", but its function ${selector} is not. Allowed functions: 0x11111111.`,
      ],
    ])
  })

  test('an entry for any function does not cover a function whose data contains further calls', async () => {
    const entries = [
      { selector: '0xffffffff', allowed: true, anySelector: true },
      { selector: '0x11111111', allowed: true },
    ] as const
    const dryRun = node({ allowed: false, entries })
    const { findings } = await prepareRedeem(service().client, { ...request, dryRun })
    expect(findings).toMatchObject([
      {
        code: 'SELECTOR_NOT_WHITELISTED',
        message: `Contract ${stranger} is on the whitelist of "my-shop" with any function. That does not cover ${selector}, because its data contains further calls.`,
        fix: 'Ask the service to whitelist this function.',
      },
    ])
  })

  test('reports only that the call is not allowed, if the node has no old events', async () => {
    const entries = new Error('range too wide')
    expect(await findingsOf({ allowed: false, entries })).toEqual([['NOT_WHITELISTED', expect.any(String)]])
  })

  test('lists no functions if one of the events cannot be read, because that event may be a removal', async () => {
    const entries = [
      { selector: '0x11111111', allowed: true },
      { selector: '0x1', allowed: false },
    ] as const
    expect(await findingsOf({ allowed: false, entries })).toEqual([['NOT_WHITELISTED', expect.any(String)]])
  })

  test.each(['0x', `0x${'0'.repeat(64)}`, 'reverts'] as const)(
    'a contract without the whitelist function is not the credits contract: %s',
    async (whitelisted) => {
      await expect(findingsOf({ whitelisted })).rejects.toMatchObject({
        name: 'ChainReadError',
        field: 'creditsContract',
      })
    },
  )

  test('too few credits do not hide that the call would revert', async () => {
    const left = callFailed(revertOf(shopAbi, 'SoldOut', [0n]))
    const found = await findingsOf({ credits: 10_000_000n, left })
    expect(found.map(([code]) => code)).toEqual(['INSUFFICIENT_CREDITS', 'CALL_REVERTS'])
  })

  const noCode = `the function ${selector},`
  test.each([
    ['a used nonce', { orderState: 1n }, 'nonce', 'another purchaseId'],
    ['too few credits', { credits: 1n }, 'subtotal', 'Get more credits'],
    ['too little USDC', { usdc: 1n }, 'usdcAmount', 'Get more USDC'],
    ['a target that is not on the whitelist', { allowed: false }, 'transactionData', 'whitelist approve'],
    [
      'a function that is not on the whitelist',
      { allowed: false, entries: [{ selector: '0x11111111', allowed: true }] as const },
      'transactionData',
      'Call an allowed function',
    ],
    ['a call that reverts without a reason', { left: callFailed('0x') }, 'transactionData', noCode],
    [
      'a call that reverts with a reason',
      { left: callFailed(revertOf(shopAbi, 'SoldOut', [0n])) },
      'transactionData',
      'Fix the cause',
    ],
    [
      'a rule of the contract',
      { left: revertOf(contractAbi, 'NoTokensArrived', [stranger]) },
      'transactionData',
      '_safeMint',
    ],
    ['a node that cannot run it', { error: { code: 429, message: 'busy' } }, 'dryRun', undefined],
  ])('names the field and the fix: %s', async (_, change, field, fix) => {
    const options = { ...request, usdcAmount: { cents: 400 }, dryRun: node(change) }
    const { findings } = await prepareRedeem(service().client, options)
    expect(findings).toMatchObject([{ field }])
    expect(findings[0]?.fix).toEqual(fix && expect.stringContaining(fix))
  })

  test.each([
    ['too few credits', { credits: 1_000_000n }, 'INSUFFICIENT_CREDITS', '1.00 USD in credits, but 6.03 is'],
    ['too little USDC', { usdc: 1_500_000n }, 'INSUFFICIENT_USDC', '1.50 USD in USDC, but 4.00 is needed'],
    ['a redeemed nonce', { orderState: 1n }, 'NONCE_USED', 'is already redeemed'],
    ['a cancelled nonce', { orderState: 2n }, 'NONCE_USED', 'is already cancelled'],
  ])('reports %s instead of the contract’s revert reason', async (_, change, code, texts) => {
    const left =
      'credits' in change
        ? revertOf(contractAbi, 'InsufficientCredits', ['my-shop', wallet, 1n, 6n])
        : revertOf(parseAbi(['error Error(string)']), 'Error', ['ERC20: transfer amount exceeds balance'])
    expect(await findingsOf({ ...change, left }, { usdcAmount: { cents: 400 } })).toEqual([
      [code, expect.stringContaining(texts)],
    ])
  })

  test.each([
    ['does not support state overrides', { error: { code: -32602, message: 'too many arguments' } }],
    [
      'ignores the state override',
      { left: revertOf(contractAbi, 'InvalidPermitSignature', [wallet, `0x${'11'.repeat(32)}`]) },
    ],
  ])('reports a node that %s as a finding, not an error', async (_, change) => {
    const found = await findingsOf(change)
    expect(found).toEqual([['DRY_RUN_UNAVAILABLE', expect.stringMatching(/^The dry run was not possible/)]])
  })

  const soldOut = callFailed(revertOf(shopAbi, 'SoldOut', [0n]))

  test.each([
    ['geth, Erigon, Alchemy', { error: { code: 3, message: 'execution reverted', data: soldOut } }],
    ['newer Nethermind', { error: { code: -32000, message: 'execution reverted: revert', data: soldOut } }],
    [
      'older Nethermind',
      { error: { code: -32015, message: 'VM execution error.', data: `Reverted ${soldOut}` } },
    ],
    [
      'Hardhat',
      { error: { code: -32603, message: 'Error: VM Exception', data: { message: 'x', data: soldOut } } },
    ],
    ['a node that returns the revert data as the result', { answer: soldOut }],
  ])('reads a revert from %s', async (_, change) => {
    expect(await findingsOf(change)).toEqual([
      ['CALL_REVERTS', `The call to ${stranger} would revert: SoldOut: left 0.`],
    ])
  })

  /** NethermindEth/nethermind issues 2098 and 6024. */
  const silent = [
    { error: { code: -32015, message: 'VM execution error.', data: 'revert' } },
    { error: { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' } },
    { error: { code: 3, message: 'execution reverted', data: '0x' } },
  ]

  test.each(silent)('reports a node that returns no revert reason: %o', async (change) => {
    expect(await findingsOf(change)).toEqual([
      ['CALL_REVERTS', 'The redeem would fail: the node returned no reason.'],
    ])
  })

  test.each(silent)(
    'reports a node that returns no reason and may have ignored the state override: %o',
    async (change) => {
      for (const ignoresCode of [true, 'fails'] as const)
        expect(await findingsOf({ ...change, ignoresCode })).toEqual([
          [
            'DRY_RUN_UNAVAILABLE',
            expect.stringContaining('the node ignored the state override for the wallet'),
          ],
        ])
    },
  )

  test.each([
    // NethermindEth/nethermind issue 11174
    [{ error: { code: -32000, message: 'out of gas', data: '0x' } }, 'it ran out of the gas'],
    [{ error: { code: -32003, message: 'out of gas' } }, 'it ran out of the gas'],
    [
      { error: { code: -32000, message: 'gas required exceeds allowance (50000000)' } },
      'does not support state overrides',
    ],
    [
      {
        error: { code: -32003, message: 'insufficient funds for gas * price + value: have 0', data: '0x' },
      },
      'does not support state overrides',
    ],
    [
      { error: { code: 429, message: 'Your app has exceeded its capacity' } },
      'does not support state overrides',
    ],
    [{ answer: null }, 'the node returned null'],
    [{ answer: { result: '0x' } }, 'the node returned'],
    [{ answer: `0x${'0'.repeat(63)}1` }, 'the node returned'],
  ])('another error is not a revert: %o', async (change, texts) => {
    expect(await findingsOf(change)).toEqual([['DRY_RUN_UNAVAILABLE', expect.stringContaining(texts)]])
  })

  test('uses the maximum gas of one transaction, not the node’s default', async () => {
    const dryRun = node()
    await prepareRedeem(service().client, { ...request, dryRun })
    expect(dryRun.tried).toMatchObject([[{ gas: '0x1000000' }, 'latest', {}]])
  })

  test('reports that a permit with a random nonce cannot be simulated, without a node request', async () => {
    const dryRun = node()
    const { client } = fakeService({
      answer: (body) => {
        const answer = honestAnswer({
          ...body,
          salt: `0x${'5a'.repeat(32)}`,
          orderKey: `0xda${'5a'.repeat(11)}`,
        })
        return JSON.parse(JSON.stringify(answer).replaceAll(answer.nonce, `0x1${answer.nonce.slice(3)}`))
      },
    })
    const given = { ...request, transactionData: token, dryRun }
    const { findings } = await prepareRedeem(client, {
      ...given,
      pinned: { ...pinned, intentBound: false },
    })
    expect(findings.map(({ code }) => code)).toEqual(['DRY_RUN_UNAVAILABLE', 'RANDOM_NONCE'])
    expect(dryRun.tried).toEqual([])
  })

  test('a node on another chain, a failed node and an invalid node are errors', async () => {
    await expect(findingsOf({ down: true })).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'dryRun',
    })
    await expect(findingsOf({ chain: 1 })).rejects.toMatchObject({
      name: 'WrongNetworkError',
      field: 'dryRun',
    })
    await expect(findingsOf({}, { dryRun: 'https://node.example' as never })).rejects.toMatchObject({
      name: 'InvalidRedeemRequestError',
      field: 'dryRun',
    })
  })
})

describe('redeem with a dry run', () => {
  const left = callFailed(revertOf(shopAbi, 'SoldOut', [0n]))

  test('stops before the wallet is asked when the redeem would fail', async () => {
    const { client, received } = service()
    const signer = countingSigner()
    await expect(redeem(client, { ...request, signer, dryRun: node({ left }) })).rejects.toMatchObject({
      name: 'RedeemWouldFailError',
      message: expect.stringContaining('SoldOut: left 0'),
      findings: [{ code: 'CALL_REVERTS', severity: 'danger' }],
      field: 'transactionData',
      fix: expect.stringContaining('Fix the cause'),
    })
    expect(signer.asked).toEqual([])
    expect(received.sendGaslessTx).toEqual([])
  })

  test('after an abort during the dry run, no prompt opens', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const signer = countingSigner()
    const dryRun = { request: () => new Promise(() => controller.abort()) }
    await expect(redeem(service().client, { ...request, signer, dryRun, signal })).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
    expect(signer.asked).toEqual([])
  })

  test('continues if there are no findings, or if the dry run was not possible', async () => {
    for (const change of [{}, { error: { code: -32602, message: 'too many arguments' } }]) {
      const signer = countingSigner()
      await redeem(service().client, { ...request, signer, dryRun: node(change) })
      expect(signer.asked).toHaveLength(1)
    }
  })
})

test("the calls of a dry run match the contract's ABI, including the names of values", () => {
  const plain = (item: unknown) =>
    JSON.stringify(item, (key, value: unknown) => (key === 'internalType' ? undefined : value))
  const sorted = (item: object) => plain(Object.fromEntries(Object.entries(item).sort()))
  const theirs = contractAbi.map(sorted)
  for (const item of creditsAbi) expect(theirs.map(strip)).toContain(strip(sorted(item)))
})

/** Returns the ABI without the parts that the two compilers order or omit differently. */
function strip(text: string): string {
  const order = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(order)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([key, inner]) => !(key === 'indexed' && inner === false) && key !== 'anonymous')
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, inner]) => [key, order(inner)]),
          )
        : value
  return JSON.stringify(order(JSON.parse(text)))
}
