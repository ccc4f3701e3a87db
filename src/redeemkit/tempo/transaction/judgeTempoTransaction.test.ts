import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { ptBrInspection } from '../../languages/ptBrInspection.ts'
import { alpha, customer, now, seconds, shop, sponsor, token, transactionOf } from '../tempo.fixture.ts'
import { inspectTempoTransaction } from './inspectTempoTransaction.ts'
import { hashTempoFeePayer, serializeTempoTransaction } from './serializeTempoTransaction.ts'
import { signTempoTransaction, sponsorTempoTransaction } from './signTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'
import type { TempoTransactionExpectation } from './tempoTransactionExpectation.ts'

const pay = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, 1_000_000n] })
const calls = [{ to: token, data: pay }] as const
const transaction = transactionOf(calls)
const expected: TempoTransactionExpectation = { chainId: 42431, account: customer.address, calls, now }
const inspected = (change: Partial<TempoTransaction>, asked: Partial<TempoTransactionExpectation> = {}) =>
  inspectTempoTransaction(serializeTempoTransaction({ ...transaction, ...change }), {
    ...expected,
    ...asked,
  } as TempoTransactionExpectation)
const judged = async (change: Partial<TempoTransaction>, asked?: Partial<TempoTransactionExpectation>) => {
  const { findings, verdict } = await inspected(change, asked)
  return [verdict, ...findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)]
}

describe('if the expectation omits a field', () => {
  test.each<[string, Partial<TempoTransaction>, Partial<TempoTransactionExpectation>, string[]]>([
    ['a nonce key of 0 is accepted', {}, {}, ['ok']],
    ['any other nonce key is refused', { nonceKey: 1n }, {}, ['refuse', 'WRONG_NONCE_KEY']],
    [
      'the nonce key of expiring nonces is refused',
      { nonceKey: 2n ** 256n - 1n },
      {},
      ['refuse', 'WRONG_NONCE_KEY'],
    ],
    ['but an expected nonce key is accepted', { nonceKey: 7n }, { nonceKey: 7n }, ['ok']],
    [
      'a fee token is refused if the customer pays',
      { sponsored: false, feeToken: token },
      { sponsored: false },
      ['refuse', 'WRONG_FEE_TOKEN'],
    ],
    [
      'a missing fee token is refused if the customer pays',
      { sponsored: false },
      { sponsored: false },
      ['refuse', 'WRONG_FEE_TOKEN'],
    ],
    [
      'but an expected fee token is accepted',
      { sponsored: false, feeToken: token },
      { sponsored: false, feeToken: token },
      ['ok'],
    ],
    ['any fee token is accepted if a sponsor pays', { feeToken: alpha }, {}, ['ok']],
  ])('%s', async (_, change, asked, judgement) => {
    expect(await judged(change, asked)).toEqual(judgement)
  })
})

describe('the expiry of a transaction:', () => {
  const most = seconds + 600n
  test.each<[string, bigint | undefined, bigint | undefined, string[]]>([
    ['no expiry', undefined, undefined, ['caution', 'NO_TIME_LIMIT']],
    ['no expiry, although maxValidBefore is set', undefined, most, ['refuse', 'NO_TIME_LIMIT']],
    ['in an hour', seconds + 3600n, undefined, ['ok']],
    ['in more than an hour', seconds + 3601n, undefined, ['caution', 'EXPIRES_TOO_LATE']],
    ['in 50 years', seconds + 1_577_880_000n, undefined, ['caution', 'EXPIRES_TOO_LATE']],
    ['before maxValidBefore', most - 1n, most, ['ok']],
    ['at maxValidBefore', most, most, ['ok']],
    ['after maxValidBefore', most + 1n, most, ['refuse', 'EXPIRES_TOO_LATE']],
    ['in two hours, as maxValidBefore allows', seconds + 7200n, seconds + 7200n, ['ok']],
    ['past, although maxValidBefore is later', seconds, most, ['refuse', 'EXPIRED']],
  ])('%s', async (_, validBefore, maxValidBefore, judgement) => {
    expect(await judged({ validBefore }, { maxValidBefore })).toEqual(judgement)
  })

  test('sponsorTempoTransaction with maxValidBefore refuses a transaction without an expiry', async () => {
    const serialized = await signTempoTransaction(customer, {
      serialized: serializeTempoTransaction({ ...transaction, validBefore: undefined }),
      expected,
    })
    const terms = { ...expected, maxFee: 20_000n, maxValidBefore: most }
    await expect(
      sponsorTempoTransaction(sponsor, { serialized, feeToken: token, expected: terms }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError', field: 'validBefore' })
  })
})

describe('the lines and a finding describe the fee payer if', () => {
  const sender = customer.address
  const of = async (change: Partial<TempoTransaction>, asked?: Partial<TempoTransactionExpectation>) => {
    const inspection = await inspected(change, asked)
    const lines = formatInspection(inspection).lines.filter(({ label }) =>
      ['Network fee, at most', 'Fee payer', 'Note'].includes(label),
    )
    return [
      lines.map(({ value }) => value),
      inspection.findings.find(({ code }) => code === 'FEE_PAYER')?.message,
    ]
  }
  const signed = async (): Promise<Partial<TempoTransaction>> => ({
    feeToken: token,
    feePayerSignature: await sponsor.sign({
      hash: hashTempoFeePayer({ ...transaction, feeToken: token }, { sender }),
    }),
  })

  test('no sponsor has signed', async () => {
    expect(await of({})).toEqual([
      ['$0.02', 'a sponsor; no sponsor has signed yet'],
      'A sponsor is expected to pay the fee; no sponsor has signed yet.',
    ])
  })

  test('no sponsor has signed, but the expectation names one', async () => {
    const [, message] = await of({}, { feePayer: sponsor.address })
    expect(message).toBe(`${sponsor.address} is expected to pay the fee; no sponsor has signed yet.`)
  })

  test('no sponsor has signed, and the transaction is in the handoff form', async () => {
    const serialized = serializeTempoTransaction({ ...transaction, sender }, { format: 'handoff' })
    const { summary } = await inspectTempoTransaction(serialized, expected)
    expect(summary).toContain('no sponsor has signed yet')
  })

  test('a sponsor has signed, but its address was not compared with an expected sponsor', async () => {
    expect(await of(await signed())).toEqual([
      ['0.02 pathUSD', sponsor.address, 'The fee payer was not compared with an expected sponsor.'],
      `${sponsor.address} has signed to pay the fee, but its address was not compared with an expected sponsor.`,
    ])
  })

  test('the expected sponsor has signed', async () => {
    expect(await of(await signed(), { feePayer: sponsor.address })).toEqual([
      ['0.02 pathUSD', sponsor.address],
      undefined,
    ])
  })

  test('the sponsor’s signature is not valid', async () => {
    const feePayerSignature: Hex = `0x${'05'.padStart(64, '0')}${'01'.padStart(64, '0')}1b`
    expect((await of({ feePayerSignature }))[0]).toEqual([
      '$0.02',
      'a sponsor, whose signature cannot be read',
    ])
  })

  test('the account itself pays', async () => {
    const own = { sponsored: false, feeToken: token } as const
    expect((await of(own, own))[0]).toEqual(['0.02 pathUSD', sender])
    expect((await of({ sponsored: false }, own))[0]).toEqual([
      '$0.02',
      sender,
      'The chain chooses the token for the network fee.',
    ])
  })
})

describe('the text of an inspection', () => {
  test('has the effect, the fee payer and the expiry', async () => {
    const { details, summary, title } = await inspected({})
    expect(summary).toBe(
      [
        'Sends 1.00 pathUSD to 0x7099…79C8.',
        `Receiver: ${shop}`,
        `Contract: pathUSD (${token})`,
        'Chain: Tempo Testnet',
        `Account: ${customer.address}`,
        'Network fee, at most: $0.02',
        'Fee payer: a sponsor; no sponsor has signed yet',
        'Valid until: 2027-01-15 08:01:00 UTC (in 60 seconds)',
      ].join('\n'),
    )
    expect(details.calls).toEqual([title])
    expect(details.movements).toMatchObject([
      { direction: 'out', amount: 1_000_000n, from: customer.address, to: shop },
    ])
  })

  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 5n] })
  const titled = async (
    asked: TempoTransactionExpectation['calls'],
    more: Partial<TempoTransactionExpectation> = {},
  ) => {
    const inspection = await inspected(
      { calls: asked.map((call) => ({ ...call, value: 0n })) },
      { calls: asked, ...more },
    )
    return {
      inspection,
      title: formatInspection(inspection).title,
      portuguese: formatInspection(inspection, { texts: ptBrInspection }).title,
    }
  }

  test('of several calls has the total that leaves the account, by token', async () => {
    const dear = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, 5_000_000_000n] })
    const hidden = ([token, alpha] as const).map((to) => ({ to, data: dear }))
    const { inspection, title, portuguese } = await titled([...calls, ...calls, ...hidden])
    expect(title).toBe('Makes 4 calls that take 5,002.00 pathUSD and 5,000.00 AlphaUSD out of your account.')
    expect(portuguese).toBe('Faz 4 chamadas que retiram 5.002,00 pathUSD e 5.000,00 AlphaUSD da sua conta.')
    expect(inspection.details.calls).toHaveLength(4)
    expect(formatInspection(inspection).lines.filter(({ label }) => label === 'Call')).toEqual(
      ['1.00 pathUSD', '1.00 pathUSD', '5,000.00 pathUSD', '5,000.00 AlphaUSD'].map((amount) => ({
        label: 'Call',
        value: `Sends ${amount} to 0x7099…79C8.`,
      })),
    )
  })

  test('of several calls with an unknown call says "at least", and names that call', async () => {
    const unknown = { to: shop, data: '0x12345678' } as const
    const title =
      'Makes 2 calls that take at least 1.00 pathUSD out of your account. Calls an unknown function of 0x7099…79C8 (0x12345678).'
    expect(await titled([...calls, unknown])).toMatchObject({
      title,
      portuguese:
        'Faz 2 chamadas que retiram pelo menos 1,00 pathUSD da sua conta. Chama uma função desconhecida de 0x7099…79C8 (0x12345678).',
    })
    // a call without data does not hide the unknown call
    const { title: three } = await titled([...calls, { to: shop, data: '0x' }, unknown])
    expect(three).toBe(title.replace('2', '3'))
  })

  test('of several calls with an approval names the approval, so that a transfer cannot hide it', async () => {
    expect(await titled([...calls, { to: token, data: approve }])).toMatchObject({
      title:
        'Makes 2 calls that take at least 1.00 pathUSD out of your account. Lets 0x7099…79C8 spend up to 0.000005 pathUSD.',
      portuguese:
        'Faz 2 chamadas que retiram pelo menos 1,00 pathUSD da sua conta. Permite que 0x7099…79C8 gaste até 0,000005 pathUSD.',
    })
  })

  test('of several redeems has the total in credits', async () => {
    const creditsContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
    const data = encodeFunctionData({
      abi: parseAbi(['function burn(string,address,uint256)']),
      args: ['shop', customer.address, 1_000_000n],
    })
    const two = [
      { to: creditsContract, data },
      { to: creditsContract, data },
    ] as const
    expect((await titled(two, { creditsContract })).title).toBe(
      'Makes 2 calls that take $2.00 of credits out of your account.',
    )
  })

  test('of several approvals names the largest', async () => {
    const dear = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [shop, 5_000_000n] })
    const several = [approve, dear, approve].map((data) => ({ to: alpha, data }))
    expect((await titled(several)).title).toBe('Makes 3 calls. Lets 0x7099…79C8 spend up to 5.00 AlphaUSD.')
  })

  test('of several calls does not hide a known token behind tokens that anyone can create', async () => {
    const madeUp = ['a', 'b', 'c', 'd'].map(
      (digit) => `0x20c000000000000000000000${digit.repeat(16)}` as const,
    )
    const all = (functionName: 'approve' | 'transfer') =>
      [...madeUp, alpha].map((to) => ({
        to,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName,
          args: [shop, to === alpha ? 5_000_000n : 10n ** 14n],
        }),
      }))
    expect((await titled(all('transfer'))).title).toMatch(
      /^Makes 5 calls that take 5\.00 AlphaUSD and 100,000,000 of the token \S+ and .* and 2 more out of your account\.$/,
    )
    expect((await titled(all('approve'))).title).toMatch(
      /^Makes 5 calls\. Lets 0x7099…79C8 spend up to 100,000,000 of the token \S+ Lets 0x7099…79C8 spend up to 5\.00 AlphaUSD\.$/,
    )
  })

  test('of several calls that move nothing has their number, and names an unknown call', async () => {
    const two = ([token, alpha] as const).map((to) => ({ to, data: '0x12345678' as const }))
    expect(await titled(two)).toMatchObject({
      title: 'Makes 2 calls. Calls an unknown function of pathUSD (0x20C0…0000) (0x12345678).',
      portuguese: 'Faz 2 chamadas. Chama uma função desconhecida de pathUSD (0x20C0…0000) (0x12345678).',
    })
  })

  test('warns about an additional call, but not about expected calls', async () => {
    const two = [...calls, { to: token, data: approve }] as const
    const change = { calls: two.map((call) => ({ ...call, value: 0n })) }
    expect(await judged(change, { calls: two })).toEqual(['ok'])
    expect(await judged(change)).toEqual(['refuse', 'CALL_COUNT', 'DELEGATE_APPROVAL'])
  })
})
