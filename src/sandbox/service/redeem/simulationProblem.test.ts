import fc from 'fast-check'
import { encodeAbiParameters, encodeErrorResult, getAddress, type Hex, parseAbi } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { problem, ServiceProblem } from '../http/problem.ts'
import { unwrapSignature } from './checkSignatures.ts'
import { explained, explainFailure, simulationProblem } from './simulationProblem.ts'

/** A node that supports no traces. */
const silentChain = () => {
  const asked: unknown[] = []
  const chain = {
    creditsContract: `0x${'c1'.repeat(20)}` satisfies Hex,
    operator: { address: `0x${'0e'.repeat(20)}` satisfies Hex },
    client: {
      request: async (question: unknown) => {
        asked.push(question)
        throw Object.assign(new Error('Method not found'), { code: -32601 })
      },
    },
  }
  // No other fields are read.
  return { asked, chain: chain as unknown as EvmChain }
}
// Only the transaction type is read.
const request = { settlement: { kind: 0 } } as Parameters<typeof explainFailure>[2]['request']
const failed = problem('SIMULATION_FAILED', 'The redeem would fail: sold out.')

test('keeps the error and reports a node without traces', async () => {
  const errors: unknown[] = []
  const { asked, chain } = silentChain()
  const service = { kind: 'intentBound' as const, onError: (error: unknown) => errors.push(error) }
  expect(await explainFailure(service, chain, { refusal: failed, request, asWallet: undefined })).toBe(failed)
  expect(errors).toHaveLength(1)
  expect(asked).not.toEqual([])
})

test.each([
  ['with a specific code', 'intentBound', problem('PERMIT_EXPIRED', 'It is over.')],
  ['for a permit with a random nonce', 'randomNonce', failed],
] as const)('an error %s is not traced', async (_, kind, refusal) => {
  const errors: unknown[] = []
  const { asked, chain } = silentChain()
  const service = { kind, onError: (error: unknown) => errors.push(error) }
  expect(await explainFailure(service, chain, { refusal, request, asWallet: undefined })).toBe(refusal)
  expect([asked, errors]).toEqual([[], []])
})

describe('a trace explains an error', () => {
  type Report = Parameters<typeof explained>[1]
  const execution = {
    succeeded: false,
    contract: 'the shop',
    reason: 'sold out',
    fix: 'Add stock.',
    at: undefined,
  } as unknown as Extract<Report['execution'], { succeeded: false }> // no other field is read
  const finding = (code: string, message = `${code} applies.`) =>
    ({
      severity: 'danger',
      code,
      message,
      fix: `Fix ${code}.`,
      subject: {},
    }) as unknown as Report['findings'][number] // no other field is read
  const explain = (findings: Report['findings'], change: object = {}) =>
    explained(
      problem('SIMULATION_FAILED', 'It fails.', { details: { revertReason: 'x', revertData: '0x12' } }),
      { execution: { ...execution, ...change } as Report['execution'], findings },
    )
  const failure = 'The redeem would fail: in the shop, sold out.'

  test.each([
    ['if no rule is broken', [], `${failure} What to change: Add stock.`],
    ['if the call reverts', [finding('CALL_REVERTS')], `${failure} What to change: Fix CALL_REVERTS.`],
    [
      'if a rule is broken',
      [finding('PULLS_NOTHING'), finding('PULLS_MOREOVER')],
      `${failure} PULLS_NOTHING applies. What to change: Fix PULLS_NOTHING.`,
    ],
    [
      'if the contract pulls too much',
      [finding('CALL_REVERTS'), finding('PULLS_MORE')],
      'INSUFFICIENT FUNDS TO REDEEM: the contract pulled more USDC than the subtotal. What to change: Fix CALL_REVERTS.',
    ],
  ])('%s', (_, findings, message) => {
    expect(explain(findings)).toMatchObject({ code: 'SIMULATION_FAILED', shortMessage: message })
  })

  test('with the details of the error', () => {
    const { details } = explain([finding('CALL_REVERTS')], { at: 'buy' })
    expect(details).toEqual({
      revertData: '0x12',
      revertReason: 'sold out',
      contract: 'the shop',
      at: 'buy',
      findings: [
        {
          severity: 'danger',
          code: 'CALL_REVERTS',
          message: 'CALL_REVERTS applies.',
          fix: 'Fix CALL_REVERTS.',
        },
      ],
    })
  })

  test('but not if the redeem succeeds in a newer block', () => {
    expect(explained(failed, { execution: { succeeded: true } as Report['execution'], findings: [] })).toBe(
      failed,
    )
  })
})

const wallet: Hex = `0x${'a1'.repeat(20)}`
const shop: Hex = `0x${'5a'.repeat(20)}`
const key: Hex = `0x${'cf'.repeat(12)}`
const digest: Hex = `0x${'11'.repeat(32)}`
const text = (reason: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [reason] })
const revertOf = (data: Hex) => ({ code: 3, message: 'execution reverted', data })

describe('an error of the credits contract', () => {
  test.each([
    ['PermitExpired', [1n, 2n], 'PERMIT_EXPIRED', undefined],
    ['InvalidPermitSignature', [wallet, digest], 'INVALID_PERMIT', undefined],
    ['IntentMismatch', [digest, digest], 'INTENT_MISMATCH', undefined],
    ['OrderUsed', [wallet, key, 1, shop], 'ORDER_UNDERWAY', { error: { name: 'OrderUsed' } }],
    ['OrderUsed', [wallet, key, 2, shop], 'ORDER_CANCELLED', { error: { name: 'OrderUsed' } }],
    ['ReceiveAuthorizationRequired', [digest], 'INVALID_USDC_AUTHORIZATION', undefined],
    [
      'ExceedsAuthorized',
      [2_500_000n, 1_000_000n],
      'EXCEEDS_AUTHORIZED',
      { total: '2500000', authorized: '1000000' },
    ],
    ['InsufficientCredits', ['shop', wallet, 1n, 2n], 'INSUFFICIENT_CREDITS', undefined],
    ['MissingUsdcAuthorization', [], 'INVALID_USDC_AUTHORIZATION', undefined],
    ['UnexpectedUsdcAuthorization', [], 'INVALID_USDC_AUTHORIZATION', undefined],
    ['InvalidV1SignatureLength', [64n], 'INVALID_USDC_AUTHORIZATION', undefined],
    [
      'NotWhitelisted',
      ['shop', 1n, shop, '0x12345678'],
      'NOT_WHITELISTED',
      { error: { name: 'NotWhitelisted' } },
    ],
    ['NftContractNotWhitelisted', ['shop', shop], 'NOT_WHITELISTED', { revertData: expect.any(String) }],
    ['ForbiddenTarget', [shop], 'NOT_WHITELISTED', { revertData: expect.any(String) }],
    ['ForbiddenSelector', ['0x12345678'], 'NOT_WHITELISTED', { revertData: expect.any(String) }],
    ['TargetWithoutCode', [shop], 'NOT_WHITELISTED', { revertData: expect.any(String) }],
    ['EnforcedPause', [], 'SIMULATION_FAILED', { revertReason: 'EnforcedPause' }],
  ] as const)('%s', (errorName, args, code, details) => {
    const data = encodeErrorResult({ abi: creditsAbi, errorName, args } as Parameters<
      typeof encodeErrorResult
    >[0])
    const found = simulationProblem(revertOf(data))
    expect(found?.code).toBe(code)
    if (details === undefined) expect(found?.details).toBeUndefined()
    else expect(found?.details).toMatchObject(details)
  })
})

describe('the revert text of a contract', () => {
  const callFailed = (reason: Hex) =>
    revertOf(encodeErrorResult({ abi: creditsAbi, errorName: 'CallFailed', args: [shop, reason] }))
  const allowance = parseAbi([
    'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  ])

  test.each([
    ['the current USDC', text('ERC20: transfer amount exceeds allowance')],
    [
      'another token',
      encodeErrorResult({ abi: allowance, errorName: 'ERC20InsufficientAllowance', args: [shop, 1n, 2n] }),
    ],
  ])('the text of %s for too large a transfer is replaced by INSUFFICIENT FUNDS TO REDEEM', (_, reason) => {
    expect(simulationProblem(callFailed(reason))).toMatchObject({
      code: 'SIMULATION_FAILED',
      message: expect.stringMatching(/^INSUFFICIENT FUNDS TO REDEEM: /),
      details: { revertReason: 'INSUFFICIENT FUNDS TO REDEEM' },
    })
  })

  test('a shop’s text is forwarded with its address', () => {
    expect(simulationProblem(callFailed(text('sold out')))).toMatchObject({
      code: 'SIMULATION_FAILED',
      shortMessage: `The call to ${getAddress(shop)} would revert: sold out.`,
      details: { revertReason: 'sold out', revertData: text('sold out') },
    })
  })

  test('USDC’s text about an authorization becomes an authorization error', () => {
    for (const texts of ['FiatTokenV2: invalid signature', 'ECRecover: invalid signature'])
      expect(simulationProblem(revertOf(text(texts)))?.code).toBe('INVALID_USDC_AUTHORIZATION')
    expect(simulationProblem(revertOf(text('ERC20: transfer amount exceeds balance')))?.code).toBe(
      'SIMULATION_FAILED',
    )
  })

  test('revert data beyond 31 words is cut at a whole word', () => {
    const data = text('x'.repeat(5_000))
    expect(simulationProblem(revertOf(data))?.details).toMatchObject({
      revertData: data.slice(0, 10 + 31 * 64),
    })
  })

  test('a shop’s text is not mistaken for USDC’s', () => {
    const reason = text('not FiatTokenV2: invalid signature')
    expect(simulationProblem(revertOf(reason))?.code).toBe('SIMULATION_FAILED')
  })
})

test('a failure of the node is not reported as a failed redeem', () => {
  expect(simulationProblem(new Error('HTTP request failed.'))).toBeUndefined()
})

const factory = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const magic = '6492'.repeat(16)
const bytes = fc.uint8Array({ maxLength: 300 }).map((data): Hex => `0x${Buffer.from(data).toString('hex')}`)

test('unwraps ERC-6492 signatures and returns others unchanged', () => {
  const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  const wrapped: Hex = `${encodeAbiParameters(parts, [factory, '0x1234', '0xAbCd'])}${magic}`
  expect(unwrapSignature(wrapped)).toEqual({ signature: '0xabcd', deployment: { factory, data: '0x1234' } })
  expect(unwrapSignature('0xAbCdEf')).toEqual({ signature: '0xAbCdEf', deployment: undefined })
})

test('random signatures are unwrapped, returned unchanged, or reported as broken', () => {
  fc.assert(
    fc.property(bytes, fc.boolean(), (signature, ending) => {
      const result = unwrapSignature(ending ? `${signature}${magic}` : signature)
      if (ending) expect(result === undefined || result.deployment !== undefined).toBe(true)
      else expect(result).toEqual({ signature, deployment: undefined })
    }),
    { numRuns: inject('generatedInputs') },
  )
})

test('every revert becomes a 4xx of `wireErrors` with a message', () => {
  const errors = creditsAbi.filter((item) => item.type === 'error')
  const selectors = errors.map(({ name, inputs }) => {
    try {
      const args = inputs.map(({ type }) =>
        type === 'string'
          ? 'x'
          : type === 'address'
            ? factory
            : type.startsWith('bytes')
              ? `0x${'00'.repeat(Number(type.slice(5)) || 0)}`
              : 0n,
      )
      return encodeErrorResult({
        abi: [{ type: 'error', name, inputs }],
        errorName: name,
        args,
      } as never).slice(0, 10)
    } catch {
      return '0x08c379a0'
    }
  })
  fc.assert(
    fc.property(fc.constantFrom('0x', '0x08c379a0', '0x4e487b71', ...selectors), bytes, (selector, rest) => {
      const data = `${selector}${rest.slice(2)}` as Hex // hex appended to 0x-hex
      const { reason } = decodeRevert(data)
      expect(reason).not.toBe('')
      const problem = simulationProblem({ message: 'execution reverted', data })
      expect(problem).toBeInstanceOf(ServiceProblem)
      expect([403, 409, 412]).toContain(problem?.status)
      expect(() => JSON.stringify(problem?.details)).not.toThrow()
    }),
    { numRuns: inject('generatedInputs') },
  )
})

test('a failed node is not reported as a failing redeem', () => {
  for (const error of [
    new Error('connect ECONNREFUSED'),
    undefined,
    'text',
    { code: -32603, message: 'internal' },
  ]) {
    expect(revertDataOf(error)).toBe(undefined)
    expect(simulationProblem(error)).toBe(undefined)
  }
  expect(revertDataOf({ cause: { cause: { code: 3, message: 'execution reverted' } } })).toBe('0x')
  expect(revertDataOf({ cause: { data: { data: '0x1234' } } })).toBe('0x1234')
})
