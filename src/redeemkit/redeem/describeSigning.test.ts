import { describe, expect, test } from 'vitest'
import { formatInspection } from '../core/inspection/formatInspection.ts'
import { inspect } from '../evm/inspect/inspect.ts'
import { english, ptBr } from '../languages/index.ts'
import { describeSigning, signingLines } from './describeSigning.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import { chainId, fakeService, pinned, stranger, token } from './redeem.fixture.ts'

const prepare = (change: object = {}) =>
  prepareRedeem(fakeService().client, {
    chainId,
    pinned: { ...pinned, chainId },
    subtotal: { cents: 1000 },
    transactionData: token,
    ...change,
  })

describe('describeSigning', () => {
  test('states amount, sources and fee', async () => {
    const prepared = await prepare({ usdcAmount: { cents: 400 } })
    const { fee, ...rest } = describeSigning(prepared)
    expect(fee).toMatch(/^\$\d+\.\d\d$/)
    expect(rest).toMatchObject({ credits: '$6.00', usdc: '$4.00' })
    expect(rest.text).toBe(
      `You send $10.00 to ${stranger} on Base Sepolia. From your credits: $6.00, plus a network fee of at most ${fee}. From your USDC: $4.00.`,
    )
  })

  test.each([
    ['credits', undefined, /\. From your credits: \$10\.00, plus a network fee of at most \$0\.03\.$/],
    [
      'USDC',
      { cents: 1000 },
      /\. From your USDC: \$10\.00\. From your credits: a network fee of at most \$0\.03\.$/,
    ],
  ])('names the only source: %s', async (_, usdcAmount, expected) => {
    expect(describeSigning(await prepare({ usdcAmount })).text).toMatch(expected)
  })

  test('returns amounts that add up', async () => {
    const prepared = await prepare()
    const cents = (text: string) => Number(text.replace(/\D/g, ''))
    const { credits, usdc, fee, most } = describeSigning(prepared)
    expect(cents(most)).toBe(cents(credits) + cents(usdc) + cents(fee))
    expect(cents(fee)).toBe(Number(prepared.gasFee) / 10_000)
  })

  test('shows the name of an address, and the shortened address', async () => {
    const prepared = await prepare()
    const shown = `Moonrise Prints (${stranger.slice(0, 6)}…${stranger.slice(-4)})`
    for (const address of [stranger, stranger.toLowerCase()])
      expect(describeSigning(prepared, { names: { [address]: 'Moonrise Prints' } }).text).toContain(
        `You send $10.00 to ${shown} on`,
      )
  })

  test('ignores names of other addresses', async () => {
    const names = { '0x70997970C51812dc3A010C7d01b50e0d17dc79C9': 'Moonrise Prints' }
    expect(describeSigning(await prepare(), { names }).text).not.toContain('Moonrise')
  })

  test.each(['', ' ', 'a\nb', '\u202eb', 'a'.repeat(65), 7])('rejects the name %j', async (name) => {
    const prepared = await prepare()
    expect(() => describeSigning(prepared, { names: { [stranger]: name as string } })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'names' }),
    )
  })

  test('uses another language', async () => {
    const { text } = describeSigning(await prepare(), { messages: ptBr })
    expect(text).toMatch(
      /^Você envia US\$\u00a010,00 para 0x\w{40} na rede Base Sepolia\. Dos seus créditos: /,
    )
  })

  test('warns if the signature does not commit to the purchase', async () => {
    const prepared = await prepare()
    expect(describeSigning(prepared).text).not.toContain(english['signing.trust'])
    expect(describeSigning({ ...prepared, intentBound: false }).text).toContain(english['signing.trust'])
  })

  test('returns the lines that a wallet shows for the same redeem', async () => {
    const prepared = await prepare({
      usdcAmount: { cents: 400 },
      purchaseId: 'order 1',
    })
    const { wallet, salt, request, merchantId, typedData } = prepared
    const lines = signingLines(prepared)
    const inspection = inspect(
      { method: 'eth_signTypedData_v4', params: [wallet, JSON.stringify(typedData.creditPermit)] },
      {
        address: wallet,
        chainId,
        origin: 'https://shop.example',
        pinned: [
          { ...pinned, chainId, merchantId, receivers: [stranger], origins: ['https://shop.example'] },
        ],
        intent: {
          version: 1,
          merchantId,
          purchaseId: 'order 1',
          salt,
          request: {
            subtotal: request.subtotal,
            usdcAmount: request.usdcAmount,
            transactionData: request.transactionData,
          },
        },
        now: () => (Number(typedData.creditPermit.message.validBefore) - 600) * 1000,
      },
    )
    expect(inspection.findings).toEqual([])
    const shown = (some: typeof lines) =>
      formatInspection({ title: inspection.title, lines: some, findings: [] })
        .lines.filter(({ label }) => !/^(Request|Amount, at most|Account|Valid until)$/.test(label))
        // the wallet shows names for the addresses that it has pinned
        .map(({ label, value }) => [label, value.replace(/^"[^"]*" \((0x\w+)\)$/, '$1')])
    expect(shown(lines)).toEqual(shown(inspection.lines))
    expect(shown(lines)).toHaveLength(9)
    const named = signingLines(prepared, { names: { [stranger]: 'Moonrise Prints' } })
    expect(JSON.stringify(shown(named))).toContain('Moonrise Prints')
    const unknown = { name: { [stranger]: 'Moonrise Prints' } } as never
    expect(() => signingLines(prepared, unknown)).toThrow(expect.objectContaining({ field: 'name' }))
    const unpinned = signingLines({ ...prepared, pinned: {} as never })
    expect(unpinned).toEqual(lines.filter(({ key }) => key !== 'balance' && key !== 'contract'))
  })

  test.each([
    [null, 'prepared'],
    [{}, 'prepared.request'],
    [{ request: {} }, 'prepared.amount'],
    [{ request: {}, amount: '-1' }, 'prepared.amount'],
    [{ request: {}, amount: '1e3' }, 'prepared.amount'],
    [{ request: {}, amount: 1 }, 'prepared.amount'],
  ])('%j is not a prepared redeem', (prepared, field) => {
    expect(() => describeSigning(prepared as never)).toThrow(expect.objectContaining({ field }))
  })
})
