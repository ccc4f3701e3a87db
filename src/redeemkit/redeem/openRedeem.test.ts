import { describe, expect, test } from 'vitest'
import { RequestAbortedError } from '../api/errors.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { OrderUsedError, RedeemTimeoutError } from './errors.ts'
import { isOpenRedeemError } from './isOpenRedeemError.ts'
import { openRedeemError } from './openRedeem.ts'
import { chainId, creditsContract, nonce, wallet } from './redeem.fixture.ts'

const open = { wallet, chainId, creditsContract, nonce, validBefore: '1800000600' } as const
const advice = 'Nothing was signed. Try again.'

describe('a failure after a permit was submitted', () => {
  test('removes `fix` texts that apply only before a submit, from every cause', () => {
    const cause = new BaseError('The node is down.', { fix: advice })
    const error = openRedeemError(new BaseError('The chain cannot be read.', { fix: advice, cause }), open)
    expect(error).toMatchObject({ name: 'OutcomeUnknownError', remedy: 'lookUp', ...open })
    for (let at: unknown = error; at instanceof BaseError; at = at.cause)
      expect(`${at.message} ${at.stack}`).not.toContain(advice)
    expect(error.cause).toMatchObject({ message: 'The chain cannot be read.', fix: undefined })
    expect((error.cause as Error).stack).toMatch(/^BaseError: The chain cannot be read\.\n +at /)
    expect(error.cause).toMatchObject({ cause: { message: 'The node is down.', fix: undefined } })
  })

  test('is reported even without a stack', () => {
    const cause = Object.assign(new BaseError('No stack.'), { stack: undefined })
    expect(openRedeemError(cause, open)).toSatisfy(isOpenRedeemError)
  })

  test('keeps the original error as its cause if the caller’s function throws', () => {
    const error = openRedeemError(new TypeError('of the page'), open)
    expect(error.cause).toMatchObject({ name: 'BaseError', cause: { name: 'TypeError' } })
  })

  test.each([true, false])(
    'reports that the redeem may execute, even after an abort with sent: %s',
    (sent) => {
      const error = openRedeemError(new RequestAbortedError({ sent }), open)
      expect(error).toSatisfy(isOpenRedeemError)
      expect(error).toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
      expect(error.message).toContain('it may still execute')
    },
  )

  test('does not change the error of an open redeem, or an outcome decided on chain', () => {
    const pending = new RedeemTimeoutError('It is pending.')
    const decided = new OrderUsedError('It was used.', open as never)
    for (const error of [pending, decided]) expect(openRedeemError(error, open)).toBe(error)
    expect(decided).not.toSatisfy(isOpenRedeemError)
  })
})
