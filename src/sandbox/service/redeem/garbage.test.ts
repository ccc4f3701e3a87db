import fc from 'fast-check'
import { encodeAbiParameters, encodeErrorResult, type Hex } from 'viem'
import { expect, inject, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { ServiceProblem } from '../http/problem.ts'
import { unwrapSignature } from './checkSignatures.ts'
import { simulationProblem } from './simulationProblem.ts'

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
