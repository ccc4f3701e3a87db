import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  padHex,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { Abis } from 'viem/tempo'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { formatInspection } from '../core/inspection/formatInspection.ts'
import { ptBrInspection } from '../languages/ptBrInspection.ts'
import { describeTempoCall } from './describeTempoCall.ts'
import { creditsCalls } from './knownCalls.ts'
import { tempoContracts } from './network.ts'

const me: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bank: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const pathUsd = tempoContracts.pathUsd
const alpha: Address = '0x20C0000000000000000000000000000000000001'
const credits: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const word: Hex = `0x${'11'.repeat(32)}`
const now = 1_800_000_000n
const described = (to: Address, data: Hex, change: object = {}) => {
  const call = describeTempoCall(
    { to, data },
    { account: me, chainId: 42431, index: 2, now, creditsContract: credits, ...change },
  )
  return { ...call, ...shown(call) }
}
/** Formats a described call: the English text and lines, and the Portuguese text. */
function shown({ sentence, lines }: ReturnType<typeof describeTempoCall>) {
  const inspection = { title: sentence, lines, findings: [] }
  const english = formatInspection(inspection)
  return {
    text: english.title,
    facts: Object.fromEntries(english.lines.map(({ label, value }) => [label, value])),
    portuguese: formatInspection(inspection, { texts: ptBrInspection }).title,
  }
}
/** Encodes a call of a TIP-20 token with the ABI of viem. */
const tip20 = (functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: Abis.tip20, functionName, args } as never)
const dollar = 1_000_000n
const memo = (text: string) => padHex(stringToHex(text), { dir: 'right', size: 32 })

const [meShort, shopShort, bankShort] = ['0x7099…79C8', '0xf39F…2266', '0x90F7…b906']

describe('describeTempoCall describes token transfers as the account sees them:', () => {
  const paid = `Sends 1.00 pathUSD to ${shopShort}.`
  const pago = `Envia 1,00 pathUSD para ${shopShort}.`
  test.each<[string, readonly unknown[], string, string, string]>([
    ['transfer', [shop, dollar], paid, pago, 'out'],
    [
      'transfer',
      [me, dollar],
      `Sends 1.00 pathUSD to ${meShort}.`,
      `Envia 1,00 pathUSD para ${meShort}.`,
      'other',
    ],
    [
      'transfer',
      [shop, 1n],
      `Sends 0.000001 pathUSD to ${shopShort}.`,
      `Envia 0,000001 pathUSD para ${shopShort}.`,
      'out',
    ],
    ['transferFrom', [me, shop, dollar], paid, pago, 'out'],
    [
      'transferFrom',
      [shop, me, dollar],
      `Sends 1.00 pathUSD from ${shopShort} to ${meShort}.`,
      `Envia 1,00 pathUSD de ${shopShort} para ${meShort}.`,
      'in',
    ],
    [
      'transferFrom',
      [shop, bank, dollar],
      `Sends 1.00 pathUSD from ${shopShort} to ${bankShort}.`,
      `Envia 1,00 pathUSD de ${shopShort} para ${bankShort}.`,
      'other',
    ],
    ['transferWithMemo', [shop, dollar, memo('order 42')], paid, pago, 'out'],
    [
      'transferFromWithMemo',
      [shop, me, dollar, memo('back')],
      `Sends 1.00 pathUSD from ${shopShort} to ${meShort}.`,
      `Envia 1,00 pathUSD de ${shopShort} para ${meShort}.`,
      'in',
    ],
    ['mint', [me, dollar], `Issues 1.00 pathUSD to ${meShort}.`, `Emite 1,00 pathUSD para ${meShort}.`, 'in'],
    [
      'mintWithMemo',
      [shop, dollar, memo('m')],
      `Issues 1.00 pathUSD to ${shopShort}.`,
      `Emite 1,00 pathUSD para ${shopShort}.`,
      'other',
    ],
    ['burn', [dollar], 'Destroys 1.00 pathUSD.', 'Destrói 1,00 pathUSD.', 'out'],
    ['burnWithMemo', [dollar, memo('b')], 'Destroys 1.00 pathUSD.', 'Destrói 1,00 pathUSD.', 'out'],
  ])('%s %o', (name, args, text, portuguese, direction) => {
    const call = described(pathUsd, tip20(name, args))
    expect(call).toMatchObject({
      text,
      portuguese,
      facts: { Contract: `pathUSD (${pathUsd})` },
      findings: [],
      movements: [{ what: 'token', direction, call: 2, contract: pathUsd }],
    })
  })

  test('the lines have the full addresses and the amount', () => {
    const { sentence, facts } = described(pathUsd, tip20('transferFrom', [shop, bank, dollar]))
    expect(sentence.values.amount).toEqual({
      type: 'amount',
      amount: dollar,
      decimals: 6,
      symbol: 'pathUSD',
      token: pathUsd,
    })
    expect(facts).toEqual({ Payer: shop, Receiver: bank, Contract: `pathUSD (${pathUsd})` })
  })

  test.each<[string, Hex, string | undefined]>([
    ['text', memo('order 42'), '"order 42"'],
    ['zero bytes', padHex('0x0'), undefined],
    ['bytes', `0xff${word.slice(4)}`, `0xff${word.slice(4)}`],
    ['text with invisible characters', `0x${'61e280ae62'}${'00'.repeat(27)}`, '0x61e280ae62'],
  ])('a memo with %s', (_, bytes, text) => {
    expect(described(pathUsd, tip20('transferWithMemo', [shop, 1n, bytes])).facts.Memo).toBe(text)
    expect(described(pathUsd, tip20('burnWithMemo', [1n, bytes])).facts.Memo).toBe(text)
  })

  test('without a known account, a transfer counts as paid by the sender', () => {
    const { movements } = described(pathUsd, tip20('transfer', [shop, dollar]), { account: undefined })
    expect(movements).toEqual([
      { call: 2, what: 'token', contract: pathUsd, direction: 'out', amount: dollar, to: shop },
    ])
  })

  test('a token of the test network has no name on the main network', () => {
    const data = tip20('transfer', [shop, dollar])
    expect(described(alpha, data).text).toBe(`Sends 1.00 AlphaUSD to ${shopShort}.`)
    expect(described(alpha, data, { chainId: 4217 }).text).toBe(
      `Sends 1 of the token 0x20C0…0001 to ${shopShort}.`,
    )
  })

  test('a contract outside the token factory has unknown decimals, and the text says that it may not be a token', () => {
    expect(described(bank, tip20('transfer', [shop, dollar]))).toMatchObject({
      text: `Sends 1000000 raw units of the token ${bankShort} to ${shopShort}. This is true only if ${bankShort} is a token, which was not checked.`,
      portuguese: `Envia 1000000 unidades mínimas do token ${bankShort} para ${shopShort}. Isto só vale se ${bankShort} for um token, o que não foi verificado.`,
      movements: [],
      findings: [{ code: 'NOT_COMPARED' }],
    })
  })
})

describe('describeTempoCall describes allowances for other accounts:', () => {
  const ends = now + 600n
  const permit = (owner: Address, spender: Address, amount: bigint) =>
    tip20('permit', [owner, spender, amount, ends, 27, word, word])
  const until = '2027-01-15 08:10:00 UTC (in 10 minutes)'
  const contract = 'pathUSD (0x20C0…0000)'

  test.each<[string, Hex, string, string, boolean]>([
    [
      'an amount',
      tip20('approve', [shop, dollar]),
      `Lets ${shopShort} spend up to 1.00 pathUSD.`,
      `Permite que ${shopShort} gaste até 1,00 pathUSD.`,
      true,
    ],
    [
      'everything',
      tip20('approve', [shop, maxUint256]),
      `Lets ${shopShort} spend all of your pathUSD.`,
      `Permite que ${shopShort} gaste todo o seu pathUSD.`,
      true,
    ],
    [
      'an amount above any token’s supply',
      tip20('approve', [shop, 2n ** 127n]),
      `Lets ${shopShort} spend all of your pathUSD.`,
      `Permite que ${shopShort} gaste todo o seu pathUSD.`,
      true,
    ],
    [
      'zero, which revokes',
      tip20('approve', [shop, 0n]),
      `Revokes the right of ${shopShort} to spend your tokens of the contract ${contract}.`,
      `Revoga o direito de ${shopShort} de gastar seus tokens do contrato ${contract}.`,
      false,
    ],
    [
      'an amount, by a permit of the account',
      permit(me, shop, dollar),
      `Lets ${shopShort} spend up to 1.00 pathUSD, with no time limit.`,
      `Permite que ${shopShort} gaste até 1,00 pathUSD, sem limite de tempo.`,
      true,
    ],
    [
      'unlimited, by a permit of the account',
      permit(me, shop, maxUint256),
      `Lets ${shopShort} spend all of your pathUSD, with no time limit.`,
      `Permite que ${shopShort} gaste todo o seu pathUSD, sem limite de tempo.`,
      true,
    ],
    [
      'zero, by a permit of the account',
      permit(me, shop, 0n),
      `Revokes the right of ${shopShort} to spend your tokens of the contract ${contract}.`,
      `Revoga o direito de ${shopShort} de gastar seus tokens do contrato ${contract}.`,
      false,
    ],
    [
      'an amount, by the permit of another account',
      permit(shop, me, dollar),
      `Uses a permit of ${shopShort} that lets ${meShort} spend up to 1.00 pathUSD.`,
      `Usa uma autorização de ${shopShort} que permite que ${meShort} gaste até 1,00 pathUSD.`,
      false,
    ],
    [
      'unlimited, by the permit of another account',
      permit(shop, me, maxUint256),
      `Uses a permit of ${shopShort} that lets ${meShort} spend all tokens that ${shopShort} has of the contract ${contract}.`,
      `Usa uma autorização de ${shopShort} que permite que ${meShort} gaste todos os tokens que ${shopShort} tem do contrato ${contract}.`,
      false,
    ],
    [
      'zero, by the permit of another account',
      permit(shop, me, 0n),
      `Uses a permit of ${shopShort} that revokes the right of ${meShort} to spend tokens of the contract ${contract}.`,
      `Usa uma autorização de ${shopShort} que revoga o direito de ${meShort} de gastar tokens do contrato ${contract}.`,
      false,
    ],
  ])('%s', (name, data, text, portuguese, warned) => {
    const call = described(pathUsd, data)
    expect(call).toMatchObject({ text, portuguese })
    expect(call.facts['Submit by']).toBe(name.includes('permit') ? until : undefined)
    expect(call.movements).toMatchObject([{ what: 'allowance' }])
    expect(call.findings.map(({ code, message }) => [code, message])).toEqual(
      warned ? [['DELEGATE_APPROVAL', text]] : [],
    )
  })
})

describe('describeTempoCall describes calls to the account keychain:', () => {
  const keychain = (functionName: string, args: readonly unknown[]) =>
    described(
      tempoContracts.accountKeychain,
      encodeFunctionData({ abi: Abis.accountKeychain, functionName, args } as never),
    )
  const config = { expiry: 5n, enforceLimits: true, limits: [], allowAnyCalls: true, allowedCalls: [] }

  test.each<[string, readonly unknown[]]>([
    ['authorizeKey', [bank, 1, config]],
    ['authorizeKey', [bank, 1, config, word]],
    ['authorizeAdminKey', [bank, 1, word]],
  ])('%s %o is a danger', (name, args) => {
    const text = `Lets the access key ${bankShort} act for your account.`
    expect(keychain(name, args)).toMatchObject({
      text,
      portuguese: `Permite que a chave de acesso ${bankShort} aja pela sua conta.`,
      facts: { Signer: bank },
      findings: [{ code: 'KEY_AUTHORIZATION', severity: 'danger', message: text }],
    })
  })

  test.each<[string, readonly unknown[], string, string, boolean]>([
    [
      'revokeKey',
      [bank],
      `Permanently revokes the access key ${bankShort}.`,
      `Revoga permanentemente a chave de acesso ${bankShort}.`,
      false,
    ],
    [
      'updateSpendingLimit',
      [bank, pathUsd, dollar],
      `Lets the access key ${bankShort} spend up to 1.00 pathUSD.`,
      `Permite que a chave de acesso ${bankShort} gaste até 1,00 pathUSD.`,
      true,
    ],
    [
      'updateSpendingLimit',
      [bank, pathUsd, maxUint256],
      `Lets the access key ${bankShort} spend all of your pathUSD.`,
      `Permite que a chave de acesso ${bankShort} gaste todo o seu pathUSD.`,
      true,
    ],
    [
      'updateSpendingLimit',
      [bank, pathUsd, 0n],
      `Stops the access key ${bankShort} from spending your tokens of the contract pathUSD (0x20C0…0000).`,
      `Impede que a chave de acesso ${bankShort} gaste seus tokens do contrato pathUSD (0x20C0…0000).`,
      false,
    ],
    [
      'setAllowedCalls',
      [bank, []],
      `Changes which calls the access key ${bankShort} may make.`,
      `Muda quais chamadas a chave de acesso ${bankShort} pode fazer.`,
      true,
    ],
    [
      'removeAllowedCalls',
      [bank, shop],
      `Changes which calls the access key ${bankShort} may make.`,
      `Muda quais chamadas a chave de acesso ${bankShort} pode fazer.`,
      true,
    ],
  ])('%s %o', (name, args, text, portuguese, warned) => {
    const call = keychain(name, args)
    expect(call).toMatchObject({ text, portuguese, facts: { Signer: bank } })
    expect(call.findings.map(({ code, message }) => [code, message])).toEqual(
      warned ? [['DELEGATE_APPROVAL', text]] : [],
    )
  })
})

test('describeTempoCall describes the choice of the fee token', () => {
  const data = encodeFunctionData({ abi: Abis.feeManager, functionName: 'setUserToken', args: [alpha] })
  const { feeManager } = tempoContracts
  expect(described(feeManager, data)).toMatchObject({
    text: 'Pays your network fees in AlphaUSD (0x20C0…0001) from now on.',
    portuguese: 'Paga suas taxas da rede em AlphaUSD (0x20C0…0001) de agora em diante.',
    facts: { Token: `AlphaUSD (${alpha})` },
  })
  expect(described(feeManager, data, { chainId: 4217 }).text).toBe(
    'Pays your network fees in 0x20C0…0001 from now on.',
  )
})

describe('describeTempoCall describes calls to the credits contract:', () => {
  const call = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: creditsAbi, functionName, args } as never)
  const permit = {
    customerWallet: me,
    creditSeed: 'shop',
    amount: 3n * dollar,
    validBefore: 5n,
    nonce: word,
    signature: '0x1234',
  }
  const redeemToken = call('redeemToken', [permit, 2n * dollar, 30_000n, word, shop])
  const redeem = (kind: number, { usdcAmount = 0n, customerWallet = me } = {}) =>
    call('redeem', [
      {
        permit: { ...permit, customerWallet },
        intent: { amount: 2n * dollar, usdcAmount, salt: word },
        settlement: {
          kind,
          target: shop,
          data: '0x',
          nftContract: shop,
          nftId: 0n,
          bridge: { dstChainId: 0n, dstToken: shop, isNative: false, cost: 0n },
        },
        usdcAuthorization: { method: 0, signature: '0x' },
        gasFee: 30_000n,
      },
    ])
  const paid = `Pays $2.00 to ${shopShort} with $2.03 of your "shop" credits.`
  const pago = `Paga US$ 2,00 a ${shopShort} com US$ 2,03 dos seus créditos "shop".`

  test.each<[string, Hex, string, string]>([
    ['a payment', redeem(0), paid, pago],
    ['a token payment', redeemToken, paid, pago],
    [
      'a payment with USDC',
      redeem(0, { usdcAmount: dollar }),
      `Pays $2.00 to ${shopShort} with $1.03 of your "shop" credits and 1.00 USDC.`,
      `Paga US$ 2,00 a ${shopShort} com US$ 1,03 dos seus créditos "shop" e 1,00 USDC.`,
    ],
    [
      'a payment of another wallet',
      redeem(0, { customerWallet: bank }),
      `Pays $2.00 to ${shopShort} with $2.03 of the "shop" credits of ${bankShort}.`,
      `Paga US$ 2,00 a ${shopShort} com US$ 2,03 dos créditos "shop" de ${bankShort}.`,
    ],
    [
      'a call',
      redeem(1),
      `Calls ${shopShort} with up to $2.00, paid with $2.03 of your "shop" credits.`,
      `Chama ${shopShort} com até US$ 2,00, pagos com US$ 2,03 dos seus créditos "shop".`,
    ],
    [
      'a cancellation',
      call('cancelCreditsAuthorization', [me, word, '0x1234']),
      'Cancels a credit permit. This cannot be undone.',
      'Cancela uma autorização de créditos. Isso não pode ser desfeito.',
    ],
    [
      'a mint',
      call('mint', ['shop', me, dollar]),
      `Issues $1.00 of the "shop" credits to ${meShort}.`,
      `Emite US$ 1,00 dos créditos "shop" para ${meShort}.`,
    ],
    [
      'a burn',
      call('burn', ['shop', bank, dollar]),
      `Destroys $1.00 of the "shop" credits of ${bankShort}.`,
      `Destrói US$ 1,00 dos créditos "shop" de ${bankShort}.`,
    ],
    [
      'a batch',
      call('redeemBatch', [['0x12'], [5n]]),
      'Submits several payments, each signed by its customer.',
      'Envia vários pagamentos, cada um assinado pelo respectivo cliente.',
    ],
    [
      'a withdrawal',
      call('withdrawFees', []),
      "Pays the collected fees to the contract's fee recipient.",
      'Paga as taxas recolhidas ao beneficiário definido no contrato.',
    ],
  ])('%s', (_, data, text, portuguese) => {
    const call = described(credits, data)
    expect({ ...call, portuguese: call.portuguese.replaceAll('\u00a0', ' ') }).toMatchObject({
      text,
      portuguese,
      findings: [],
    })
  })

  test('the lines of a cancellation have the wallet and the nonce', () => {
    const { facts } = described(credits, call('cancelCreditsAuthorization', [bank, word, '0x1234']))
    expect(facts).toEqual({ Wallet: bank, Nonce: word, Contract: credits })
  })

  test.each([
    ['redeem', redeem(0)],
    ['redeemToken', redeemToken],
  ])('the charge of %s is a movement of credits', (_, data) => {
    expect(described(credits, data).movements).toMatchObject([
      { what: 'credits', direction: 'out', amount: 2_030_000n, from: me },
    ])
  })

  test('every selector in creditsCalls belongs to a function of the contract', () => {
    const selectors = creditsAbi.flatMap((item) =>
      item.type === 'function' ? [toFunctionSelector(item)] : [],
    )
    expect(selectors).toEqual(expect.arrayContaining(Object.keys(creditsCalls)))
  })

  test('a contract that is not the expected one is described with a warning and without movements', () => {
    const { text, portuguese, movements, findings } = described(bank, redeem(0))
    expect(text).toBe(
      `${paid} This is true only if ${bankShort} is a credits contract, which was not checked.`,
    )
    expect(portuguese).toMatch(
      /Isto só vale se 0x90F7…b906 for um contrato de créditos, o que não foi verificado\.$/,
    )
    expect(movements).toEqual([])
    expect(findings).toMatchObject([{ code: 'NOT_COMPARED', severity: 'warning' }])
  })
})

describe('describeTempoCall describes a call as unknown or malformed:', () => {
  const cut = tip20('transfer', [shop, dollar]).slice(0, -2) as Hex
  const dirty = tip20('transfer', [shop, dollar]).replace('0xa9059cbb00', '0xa9059cbb01') as Hex
  const unknown = (selector: string) => `Calls an unknown function of ${bankShort} (${selector}).`
  const desconhecida = (selector: string) => `Chama uma função desconhecida de ${bankShort} (${selector}).`
  const malformed = 'Calls pathUSD (0x20C0…0000) with malformed arguments.'
  const malformada = 'Chama pathUSD (0x20C0…0000) com argumentos inválidos.'
  test.each<[string, Address, Hex, string, string, string?]>([
    ['no data', bank, '0x', `Calls ${bankShort} without data.`, `Chama ${bankShort} sem dados.`],
    ['less than a selector', bank, '0x1234', unknown('0x1234'), desconhecida('0x1234')],
    ['another function', bank, '0xdeadbeef01', unknown('0xdeadbeef'), desconhecida('0xdeadbeef')],
    ['arguments that end early', pathUsd, cut, malformed, malformada, 'MALFORMED'],
    ['an address of 21 bytes', pathUsd, dirty, malformed, malformada, 'MALFORMED'],
    [
      'a function of another contract',
      tempoContracts.accountKeychain,
      tip20('transfer', [shop, dollar]),
      'Calls an unknown function of 0xaAAA…0000 (0xa9059cbb).',
      'Chama uma função desconhecida de 0xaAAA…0000 (0xa9059cbb).',
    ],
  ])('%s', (_, to, data, text, portuguese, code = 'NOT_COMPARED') => {
    expect(described(to, data)).toMatchObject({
      text,
      portuguese,
      movements: [],
      findings: [{ code }],
    })
  })

  test('a contract creation', () => {
    const call = describeTempoCall({ data: '0x60' }, { account: me, chainId: 42431, index: 0, now })
    expect(shown(call)).toMatchObject({
      text: 'Creates a new contract. What it does is unknown.',
      portuguese: 'Cria um novo contrato. O que ele faz é desconhecido.',
    })
  })
})

test('viem knows every selector in tokenCalls and keychainCalls', async () => {
  const { tokenCalls, keychainCalls } = await import('./knownCalls.ts')
  const { Selectors } = await import('viem/tempo')
  const flat = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat)
  expect(flat(Selectors.tip20)).toEqual(expect.arrayContaining(Object.keys(tokenCalls)))
  expect(flat(Selectors.accountKeychain)).toEqual(expect.arrayContaining(Object.keys(keychainCalls)))
})
