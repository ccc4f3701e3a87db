import { expect, test } from 'vitest'
import { NoRedeemError, TracingUnavailableError } from '../../simulation/errors.ts'
import { runReport } from './redeemReport.ts'

test('refuses reports without intent-bound permits', async () => {
  let made = 0
  const report = async () => {
    made++
    throw new Error('It is not asked for.')
  }
  await expect(runReport({ kind: 'randomNonce' }, report)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(made).toBe(0)
})

test.each([
  [new TracingUnavailableError('No debug_traceCall.', {}), { code: 'UNAVAILABLE', status: 503 }],
  [new NoRedeemError('It holds no redeem.', {}), { code: 'NOT_FOUND', shortMessage: 'It holds no redeem.' }],
])('%s becomes a response', async (error, answer) => {
  await expect(runReport({ kind: 'intentBound' }, () => Promise.reject(error))).rejects.toMatchObject({
    name: 'ServiceProblem',
    ...answer,
    cause: expect.objectContaining({ name: error.name }),
  })
})

test('rethrows other errors', async () => {
  const error = new Error('HTTP request failed.')
  await expect(runReport({ kind: 'intentBound' }, () => Promise.reject(error))).rejects.toBe(error)
})
