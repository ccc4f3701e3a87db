import fc from 'fast-check'
import { TxEnvelopeTempo } from 'ox/tempo'
import { encodeFunctionData, erc20Abi, type Hex, hexToBytes, parseAbi, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { Abis, Transaction } from 'viem/tempo'
import { describe, expect, inject, test } from 'vitest'
import { formatInspection } from '../core/inspection/formatInspection.ts'
import { inspect } from './inspect.ts'
import { tempoContracts } from './network.ts'
import { alpha, customer, passkey, shop, sponsor, token } from './tempo.fixture.ts'

const seconds = 1_800_000_000
const now = () => seconds * 1000
const transfer = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, amount] })
const calls = [{ to: token, data: transfer(1_000_000n) }] as const
const request = {
  type: 'tempo',
  chainId: 42431,
  calls,
  gas: 1_000_000n,
  maxFeePerGas: 20_000_000_000n,
  nonce: 3,
  nonceKey: 0n,
  validBefore: seconds + 60,
} as const
const whole = (account: typeof customer | typeof passkey, change: object = {}) =>
  account.signTransaction({
    ...request,
    feePayer: sponsor,
    feeToken: token,
    ...change,
  } as never) as Promise<Hex>
const expected = (account: { address: Hex }) => ({
  chainId: 42431,
  account: account.address,
  calls,
  maxFee: 20_000n,
  nonce: 3n,
  feeToken: token,
  feePayer: sponsor.address,
  maxValidBefore: BigInt(seconds) + 60n,
  now,
})
const codesOf = async (...given: Parameters<typeof inspect>) =>
  (await inspect(...given)).findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)

describe('inspect of a transaction that viem signed', () => {
  test.each([
    ['secp256k1', customer],
    ['a passkey', passkey],
  ] as const)(
    'by %s gives the same result for its bytes and for the objects of ox and viem',
    async (_, account) => {
      const raw = await whole(account)
      const options = { expected: expected(account) }
      const of = [
        raw,
        hexToBytes(raw),
        TxEnvelopeTempo.deserialize(raw as never),
        Transaction.deserialize(raw as never),
        { method: 'eth_sendRawTransaction', params: [raw] },
        { method: 'eth_sendTransaction', params: [TxEnvelopeTempo.deserialize(raw as never)] },
        { method: 'wallet_sendTransaction', params: [TxEnvelopeTempo.deserialize(raw as never)] },
      ]
      const [first, ...others] = await Promise.all(of.map((one) => inspect(one, options)))
      expect(first).toMatchObject({ kind: 'tempoTransaction', verdict: 'ok', findings: [] })
      expect(first?.summary).toMatch(/^Sends 1\.00 pathUSD to 0x7099…79C8\.\n/)
      expect(first?.summary).toContain(`Account: ${account.address}\n`)
      for (const other of others) expect(other).toEqual(first)
    },
  )

  test('finds the sender in the signature', async () => {
    const { summary } = await inspect(await whole(passkey), { now })
    expect(summary).toContain(`Account: ${passkey.address}\n`)
    expect(summary).toContain(`Fee payer: ${sponsor.address}\n`)
  })
})

describe('inspect without an expectation', () => {
  const asked = {
    from: customer.address,
    chainId: 42431,
    validBefore: seconds + 60,
    nonce: 0,
    gas: 1n,
    maxFeePerGas: 1n,
    feePayer: true,
  }
  const of = (call: { to: Hex; data: Hex }, options = {}) =>
    codesOf({ method: 'eth_sendTransaction', params: [{ ...asked, calls: [call] }] }, { now, ...options })
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 5n] })
  const authorize = encodeFunctionData({
    abi: Abis.accountKeychain,
    functionName: 'authorizeAdminKey',
    args: [shop, 1, `0x${'00'.repeat(32)}`],
  } as never)

  test.each<[string, { to: Hex; data: Hex }, string[]]>([
    ['a payment', { to: token, data: transfer(1n) }, ['NOT_COMPARED']],
    ['an allowance', { to: token, data: approve }, ['DELEGATE_APPROVAL', 'NOT_COMPARED']],
    [
      'an access key',
      { to: tempoContracts.accountKeychain, data: authorize },
      ['KEY_AUTHORIZATION', 'NOT_COMPARED'],
    ],
    ['an unknown function', { to: shop, data: '0x12345678' }, ['NOT_COMPARED', 'NOT_COMPARED']],
  ])('%s', async (_, call, codes) => {
    expect(await of(call)).toEqual(codes)
  })

  test.each<[string, object, string]>([
    ['a scheduled payment', { validAfter: seconds + 30 }, 'valid only after 2027-01-15 08:00:30 UTC.'],
    ['an access list', { accessList: [{ address: token, storageKeys: [] }] }, 'an unexpected access list'],
    ['a new contract', { calls: [{ data: '0x6080' }] }, 'Call 1 creates a contract.'],
    [
      'an unknown call',
      { calls: [{ to: shop, data: '0x12345678' }] },
      `The effect of call 1 to ${shop} is unknown.`,
    ],
  ])('reports %s with caution, because it may be intended', async (_, change, message) => {
    const request = { method: 'eth_sendTransaction', params: [{ ...asked, calls, ...change }] }
    const { verdict, findings } = await inspect(request, { now })
    expect(verdict).toBe('caution')
    expect(findings.map((one) => one.message)).toContainEqual(expect.stringContaining(message))
  })

  test('uses the sentence of a dangerous call as the title', async () => {
    const keychain = { to: tempoContracts.accountKeychain, data: authorize }
    const text = 'Lets the access key 0x7099…79C8 act for your account.'
    const titleAndEffect = async (calls: readonly { to: Hex; data: Hex }[]) => {
      const inspection = await inspect({ ...asked, calls }, { now })
      const { title, lines } = formatInspection(inspection)
      return [title, lines.find(({ label }) => label === 'What it does')?.value]
    }
    expect(await titleAndEffect([keychain])).toEqual([text, undefined])
    expect(await titleAndEffect([{ to: token, data: transfer(1n) }, keychain])).toEqual([
      text,
      'Makes 2 calls that take at least 0.000001 pathUSD out of your account.',
    ])
  })

  test.each([
    ['arguments that end early', authorize.slice(0, 40)],
    // the precompile ignores the first 12 bytes of an address word
    ['an address of 21 bytes', authorize.replace(/^(0x.{8}.{23})0/, '$11')],
  ])('refuses the authorization of a key with %s, because the chain could accept it', async (_, data) => {
    const call = { to: tempoContracts.accountKeychain, data: data as Hex }
    expect(await of(call)).toEqual(['MALFORMED', 'NOT_COMPARED'])
  })

  test('inspect reports an expectation for another account or chain', async () => {
    const pay = { to: token, data: transfer(1n) } as const
    expect(await of(pay, { address: shop })).toContain('WRONG_SENDER')
    expect(await of(pay, { chainId: 4217 })).toContain('WRONG_CHAIN')
    expect(await of(pay, { chainId: 42431, address: customer.address })).toEqual(['NOT_COMPARED'])
  })

  test('inspect reports the fields that a request leaves to the wallet', async () => {
    const { findings, summary } = await inspect(
      { method: 'eth_sendTransaction', params: [{ to: token, data: transfer(1n) }] },
      { chainId: 42431, now },
    )
    expect(summary).toContain(
      'Network fee, at most: not set yet\nFee payer: the account that signs\nNote: The chain chooses the token for the network fee.',
    )
    expect(findings.map(({ message }) => message)).toContain(
      'The request leaves these fields to the wallet: gas, maxFeePerGas, nonce.',
    )
  })
})

test.each<[string, object, string, string]>([
  [
    'account',
    { address: shop },
    'WRONG_ACCOUNT',
    `The expected account is ${customer.address}, not ${shop}.`,
  ],
  ['chain', { chainId: 4217 }, 'WRONG_CHAIN', 'The expected chain is 42431, not 4217.'],
])(
  'if the expectation is for another %s than the wallet’s, the title says so',
  async (_, wallet, code, title) => {
    const options = { expected: expected(customer), now, ...wallet }
    const inspection = await inspect(await whole(customer), options)
    expect(inspection.findings.map((one) => one.code)).toEqual([code])
    const { title: shown, lines } = formatInspection(inspection)
    expect(shown).toBe(title)
    expect(lines).toContainEqual({ label: 'What it does', value: 'Sends 1.00 pathUSD to 0x7099…79C8.' })
  },
)

test('inspect refuses an unlimited approval, unless the wallet knows the spender', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 2n ** 256n - 1n] })
  const look = (more: object) =>
    inspect({ ...request, calls: [{ to: token, data }] }, { address: customer.address, now, ...more })
  const { verdict, findings, summary } = await look({})
  expect(verdict).toBe('refuse')
  expect(findings.map(({ code }) => code)).toContain('UNLIMITED_APPROVAL')
  expect(summary).toMatch(/^Lets 0x7099…79C8 spend all of your pathUSD\.\n/)
  const known = await look({ known: { [shop]: 'Exchange' } })
  expect(known.verdict).toBe('caution')
  expect(known.summary).toMatch(/^Lets "Exchange" \(0x7099…79C8\) spend all of your pathUSD\.\n/)
})

describe('inspect of a call to a contract outside the token factory', () => {
  const [coin, nfts] = [`0x${'c0'.repeat(20)}`, `0x${'c1'.repeat(20)}`] as const
  const abi = parseAbi(['function approve(address, uint256)', 'function setApprovalForAll(address, bool)'])
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [shop, 2n ** 256n - 1n] })
  const approveAll = encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [shop, true] })
  const look = async (call: { to: Hex; data: Hex }, more: object = {}) => {
    const { verdict, summary, findings } = await inspect(
      { ...request, calls: [call] },
      { address: customer.address, now, ...more },
    )
    return { verdict, title: summary.split('\n')[0], codes: findings.map(({ code }) => code) }
  }

  test.each([
    ['all tokens', { to: coin, data: approve }, 'Lets 0x7099…79C8 spend all of your tokens of the contract'],
    ['all NFTs', { to: nfts, data: approveAll }, 'Lets 0x7099…79C8 take all of your NFTs of the contract'],
  ])('refuses an approval for %s, as on other chains', async (_, call, title) => {
    const { verdict, title: shown, codes } = await look(call)
    expect(verdict).toBe('refuse')
    expect(shown).toContain(title)
    expect(codes).toContain('UNLIMITED_APPROVAL')
    expect((await look(call, { known: { [shop]: 'Exchange' } })).verdict).toBe('caution')
  })

  test('names the NFTs that it moves or lets others take', async () => {
    const sendNft = encodeFunctionData({
      abi: parseAbi(['function safeTransferFrom(address, address, uint256)']),
      args: [customer.address, shop, 7n],
    })
    const lookAll = (...list: { to: Hex; data: Hex }[]) =>
      inspect({ ...request, calls: list }, { address: customer.address, now })
    const sent = await lookAll({ to: nfts, data: sendNft })
    expect(sent.summary).toMatch(/^Sends NFT 7 of the contract 0xC1C1…c1c1 to 0x7099…79C8\.\nReceiver: /)
    expect(sent).toMatchObject({ verdict: 'caution', moves: [{ direction: 'out', amount: 1n, to: shop }] })
    const granted = await lookAll({ to: nfts, data: approveAll })
    expect(granted.grants).toMatchObject([{ amount: 'unlimited', from: customer.address, to: shop }])
    expect(granted.summary).toContain(`\nSpender: ${shop}\n`)
    const both = await lookAll({ to: nfts, data: sendNft }, { to: nfts, data: '0x12345678' })
    expect(both.summary).toMatch(
      /^Makes 2 calls\. Sends NFT 7 of .* to 0x7099…79C8\. Calls an unknown function of 0xC1C1…c1c1 \(0x12345678\)\.\n/,
    )
    expect(granted.findings.filter(({ code }) => code === 'UNLIMITED_APPROVAL')).toHaveLength(1)
    const revoke = `${approveAll.slice(0, -1)}0` as Hex
    const behind = await lookAll({ to: nfts, data: revoke }, { to: nfts, data: sendNft })
    expect(behind.summary).toMatch(/^Makes 2 calls\. Sends NFT 7 of /)
    const own = await lookAll({ to: customer.address, data: '0x12345678' })
    expect(own.summary).toMatch(/^Runs the code of 0xFc34…93B7 as your account/)
  })

  test('reports malformed arguments once', async () => {
    const { codes } = await look({ to: coin, data: approve.slice(0, -2) as Hex })
    expect(codes.filter((code) => code === 'MALFORMED')).toHaveLength(1)
    expect((await look({ to: nfts, data: approveAll.slice(0, -2) as Hex })).verdict).toBe('refuse')
  })
})

test('inspect recognizes the credits contract that is pinned for the chain, in lower case too', async () => {
  const creditsContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const data = encodeFunctionData({
    abi: parseAbi(['function cancelCreditsAuthorization(address, bytes32, bytes)']),
    args: [customer.address, `0x${'8f'.repeat(32)}`, '0x'],
  })
  const of = (pin: object) =>
    inspect(
      { ...request, calls: [{ to: creditsContract, data }] },
      { now, pinned: [{ chainId: 42431, creditsContract, creditSeed: 'shop', ...pin }] },
    )
  const known = 'Cancels a credit permit. This cannot be undone.'
  for (const one of [creditsContract, creditsContract.toLowerCase()])
    expect((await of({ creditsContract: one })).summary).toMatch(new RegExp(`^${known}\\n`))
  expect((await of({ chainId: 4217 })).summary).toContain('which was not checked')
})

test('inspect refuses a request with getters, whose values could change after the check', async () => {
  const params = [
    {
      ...request,
      get calls() {
        return calls
      },
    },
  ]
  for (const method of ['eth_sendTransaction', 'eth_sendRawTransaction'])
    expect(await codesOf({ method, params })).toEqual(['MALFORMED'])
  const computed = {
    method: 'eth_sendTransaction',
    get params() {
      return [request]
    },
  }
  expect((await inspect(computed)).summary).toContain('is a getter')
})

test('inspect reports an account delegation before an unlimited approval', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 2n ** 256n - 1n] })
  const { summary } = await inspect(
    { ...request, calls: [{ to: token, data }], authorizationList: [{ address: shop }] },
    { address: customer.address, now },
  )
  expect(summary.split('\n').slice(0, 2)).toEqual([
    'Other code could act as an account (EIP-7702).',
    'Problem: Lets 0x7099…79C8 spend all of your pathUSD.',
  ])
})

describe('inspect describes other requests like inspect of redeemkit/evm:', () => {
  test('a sign-in, with its statement', async () => {
    const message = createSiweMessage({
      address: customer.address,
      chainId: 42431,
      domain: 'shop.example',
      nonce: 'k5nD2aQ9x',
      uri: 'https://shop.example',
      version: '1',
      statement: 'I accept the terms.',
      issuedAt: new Date(now()),
      expirationTime: new Date(now() + 60_000),
    })
    const request = { method: 'personal_sign', params: [stringToHex(message), customer.address] }
    const { kind, summary, verdict } = await inspect(request, {
      origin: 'https://shop.example',
      chainId: 42431,
      now,
    })
    expect([kind, verdict]).toEqual(['signIn', 'ok'])
    expect(summary).toContain('Statement: "I accept the terms."')
  })

  test('a batch, with the tokens of Tempo', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, 1_500_000n] })
    const call = { version: '2.0.0', chainId: '0xa5bf', atomicRequired: true, calls: [{ to: token, data }] }
    const { summary, moves } = await inspect({ method: 'wallet_sendCalls', params: [call] })
    expect(summary.split('\n')[0]).toBe('Sends 1.50 pathUSD to 0x7099…79C8.')
    expect(moves.map(({ decimals }) => decimals)).toEqual([6])
  })

  test.each([
    [
      'an access key',
      tempoContracts.accountKeychain,
      encodeFunctionData({
        abi: Abis.accountKeychain,
        functionName: 'authorizeAdminKey',
        args: [shop, 1, `0x${'00'.repeat(32)}`],
      } as never),
      'Lets the access key 0x7099…79C8 act for your account.',
      ['KEY_AUTHORIZATION'],
    ],
    [
      'the revocation of an access key',
      tempoContracts.accountKeychain,
      encodeFunctionData({ abi: Abis.accountKeychain, functionName: 'revokeKey', args: [shop] } as never),
      'Permanently revokes the access key 0x7099…79C8.',
      ['NOT_COMPARED'],
    ],
    [
      'a transfer with a memo',
      token,
      encodeFunctionData({
        abi: Abis.tip20,
        functionName: 'transferWithMemo',
        args: [shop, 1_500_000n, `0x${'00'.repeat(32)}`],
      } as never),
      'Sends 1.50 pathUSD to 0x7099…79C8.',
      ['NOT_COMPARED'],
    ],
    [
      'an unknown function',
      tempoContracts.accountKeychain,
      '0x12345678' as const,
      'Calls an unknown function of 0xaAAA…0000 (0x12345678).',
      ['UNKNOWN_REQUEST'],
    ],
    [
      'a function of a Tempo precompile, at another contract',
      shop,
      '0x95777d59' as const,
      'Calls an unknown function of 0x7099…79C8 (0x95777d59).',
      ['UNKNOWN_REQUEST'],
    ],
  ])('%s, in a batch and in an Ethereum transaction', async (_, to, data, title, codes) => {
    const call = { chainId: '0xa5bf', calls: [{ to, data }] }
    const requests = [
      { method: 'wallet_sendCalls', params: [call] },
      { method: 'eth_sendTransaction', params: [{ type: '0x2', chainId: '0xa5bf', to, data }] },
    ]
    for (const request of requests) {
      const { summary, findings, moves, lines } = await inspect(request, { now })
      expect([summary.split('\n')[0], findings.map(({ code }) => code)]).toEqual([title, codes])
      expect(moves).toHaveLength(title.startsWith('Sends') ? 1 : 0)
      expect(lines.filter(({ key }) => key === 'contract')).toHaveLength(1)
      expect(lines.filter(({ key }) => key === 'problem')).toEqual([])
    }
  })

  test('the title of a batch names an approval rather than the larger permit of another account', async () => {
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 5_000_000n] })
    const permit = encodeFunctionData({
      abi: parseAbi(['function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)']),
      args: [
        sponsor.address,
        shop,
        10n ** 9n,
        2_000_000_000n,
        27,
        `0x${'11'.repeat(32)}`,
        `0x${'11'.repeat(32)}`,
      ],
    })
    const two = [permit, approve].map((data) => ({ to: alpha, data }))
    for (const request of [
      { method: 'wallet_sendCalls', params: [{ chainId: '0xa5bf', calls: two }] },
      { chainId: 42431, calls: two },
    ])
      expect(formatInspection(await inspect(request, { now, address: customer.address })).title).toBe(
        'Makes 2 calls. Lets 0x7099…79C8 spend up to 5.00 AlphaUSD.',
      )
  })

  test('the title of a batch names an approval of a known token besides the larger one of a made-up token', async () => {
    const madeUp = '0x20c000000000000000000000aaaaaaaaaaaaaaaa'
    const two = ([madeUp, alpha] as const).map((to) => ({
      to,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [shop, to === alpha ? 5_000_000n : 10n ** 14n],
      }),
    }))
    const request = { method: 'wallet_sendCalls', params: [{ chainId: '0xa5bf', calls: two }] }
    expect(formatInspection(await inspect(request, { now, address: customer.address })).title).toMatch(
      /^Makes 2 calls\. .* of the token \S+ Lets 0x7099…79C8 spend up to 5\.00 AlphaUSD\.$/,
    )
  })

  test('a transfer in an Ethereum transaction', async () => {
    const transaction = { type: '0x2', to: shop, chainId: '0xa5bf' }
    expect(await codesOf({ method: 'eth_sendTransaction', params: [transaction] })).toEqual(['NOT_COMPARED'])
  })
})

describe('inspect never throws:', () => {
  test.each([
    ['nothing', undefined],
    ['a type byte without a transaction', '0x76'],
    ['a transaction of type 0x02', '0x02c0'],
    ['an empty object', {}],
    ['a request without parameters', { method: 'eth_sendTransaction' }],
    ['a raw transaction that is a number', { method: 'eth_sendRawTransaction', params: [5] }],
    ['a list', []],
  ])('%s is refused', async (_, request) => {
    expect(await inspect(request as never)).toMatchObject({ kind: 'unknown', verdict: 'refuse' })
  })

  test.each([
    ['address', 'x'],
    ['expectd', {}],
    ['expected', { account: 'x' }],
    ['expected', null],
  ])('an invalid option %s is refused', async (name, value) => {
    const { findings } = await inspect(await whole(customer), { [name]: value } as never)
    expect(findings).toMatchObject([{ code: 'INVALID_EXPECTATION' }])
  })
})

describe('a hostile change to an honest transaction is refused', () => {
  const bigs = (honest: bigint) => [honest + 1n, 2n * honest + 7n, 2n ** 63n]
  const later = [seconds + 61, seconds + 3600, seconds + 1_577_880_000, undefined]
  const elsewhere = [alpha, shop, sponsor.address, customer.address] as const
  /** Unexpected values for each field. Customer and sponsor sign each changed transaction again. */
  const mutations: Record<string, readonly unknown[]> = {
    chainId: [4217, 1, 42432],
    gas: bigs(1_000_000n),
    maxFeePerGas: bigs(20_000_000_000n),
    nonce: [0, 2, 4, 1000],
    nonceKey: [1n, 7n, 2n ** 64n, 2n ** 192n, 2n ** 256n - 1n],
    validBefore: [...later, seconds, seconds - 1],
    validAfter: [seconds + 1, seconds + 59],
    feeToken: elsewhere,
    feePayer: [undefined, true, privateKeyToAccount(`0x${'ce'.repeat(32)}`)],
    accessList: [
      [{ address: token, storageKeys: [] }],
      [{ address: shop, storageKeys: [`0x${'01'.repeat(32)}`] }],
    ],
    calls: [
      [...calls, ...calls],
      [{ to: token, data: '0x' }],
      ...elsewhere.map((to) => [{ ...calls[0], to }]),
      ...[0n, 999_999n, 1_000_001n, 2n ** 255n].map((amount) => [{ to: token, data: transfer(amount) }]),
      ...[0, 1, 3, 4, 5, 20, 35, 36, 60, 67].map((at) => [{ to: token, data: flip(calls[0].data, at) }]),
      [{ to: token, data: `${calls[0].data}00` }],
      [{ to: token, data: calls[0].data.slice(0, -2) }],
      [{ ...calls[0], value: 1n }],
      [{ data: calls[0].data }],
    ],
  }
  const all = Object.entries(mutations).flatMap(([field, values]) =>
    values.map((value) => [field, value] as const),
  )
  const judge = async (request: string | object, account: typeof customer | typeof passkey) =>
    (await inspect(request, { expected: expected(account) })).verdict

  test.each([
    ['secp256k1', customer],
    ['a passkey', passkey],
  ] as const)('in any field, signed by %s, as bytes or as an object', async (_, account) => {
    expect(all.length).toBeGreaterThan(55)
    for (const [field, value] of all) {
      const raw = await whole(account, { [field]: value })
      const names = [
        field,
        typeof value === 'object'
          ? JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}` : one))
          : value,
      ]
      // if no sponsor has signed yet, the transaction is accepted, and its summary says so
      const open = field === 'feePayer' && (value === true || value === undefined)
      for (const form of [raw, TxEnvelopeTempo.deserialize(raw as never)]) {
        if (open && value === true)
          expect((await inspect(form, { expected: expected(account) })).summary).toContain(
            'no sponsor has signed',
          )
        else expect([...names, await judge(form, account)]).toEqual([...names, 'refuse'])
      }
    }
  })

  test('any changed field with the signatures of the original transaction', async () => {
    const honest = TxEnvelopeTempo.deserialize((await whole(customer)) as never)
    for (const [field, value] of all) {
      if (field === 'feePayer') continue
      const changed = { ...honest, [field]: value }
      expect([field, `${value}`, await judge(changed, customer)]).toEqual([field, `${value}`, 'refuse'])
    }
  })

  test('changed, removed or repeated bytes', async () => {
    const raw = await whole(customer)
    const bytes = hexToBytes(raw)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        expect(await judge(flip(raw, at, mask), customer)).toBe('refuse')
      }),
      { numRuns: Math.max(100, inject('generatedInputs') / 5) },
    )
    for (const text of [`${raw}00`, raw.slice(0, -2), `${raw}${raw.slice(2)}`, raw.replace('0x76', '0x78')])
      expect(await judge(text, customer)).toBe('refuse')
  })
})

/** Returns the same bytes with one byte changed. */
function flip(hex: Hex, at: number, mask = 1): Hex {
  const index = 2 + 2 * at
  const byte = (Number.parseInt(hex.slice(index, index + 2), 16) ^ mask).toString(16).padStart(2, '0')
  return `${hex.slice(0, index)}${byte}${hex.slice(index + 2)}` as Hex // still hex
}
