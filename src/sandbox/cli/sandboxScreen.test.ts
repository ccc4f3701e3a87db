import { expect, test, vi } from 'vitest'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { printRequests } from './sandboxScreen.ts'

const entry = { time: '2026-01-02T03:04:05.000Z', id: 'id-1', method: 'POST', route: '/api/x', ms: 1 }
const full = new BaseError('The database is unavailable (53100).')

/** Calls `run` with a printer, and returns the printed lines. */
function printed(run: (printer: ReturnType<typeof printRequests>) => void, json = false): string[] {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    run(printRequests({ json }))
    return print.mock.calls.map(([line]) => String(line))
  } finally {
    print.mockRestore()
  }
}

test('prints the reason only for internal errors of the service', () => {
  const lines = printed(({ onError, onLog }) => {
    onError(full, { requestId: 'id-1' })
    onLog({ ...entry, status: 500, code: 'INTERNAL' })
    onLog({ ...entry, status: 500, code: 'INTERNAL' })
    onError(full, { requestId: 'id-1' })
    onLog({ ...entry, status: 400, code: 'INVALID_REQUEST' })
  })
  expect(lines).toEqual([
    '  03:04:05 500 POST /api/x 1 ms INTERNAL id-1 (BaseError: The database is unavailable (53100).)',
    '  03:04:05 500 POST /api/x 1 ms INTERNAL id-1',
    '  03:04:05 400 POST /api/x 1 ms INVALID_REQUEST id-1',
  ])
})

test('prints the reason as a JSON field', () => {
  const [line = ''] = printed(({ onError, onLog }) => {
    onError(full, { requestId: 'id-1' })
    onLog({ ...entry, status: 503 })
  }, true)
  expect(JSON.parse(line)).toMatchObject({
    request: { status: 503 },
    reason: 'BaseError: The database is unavailable (53100).',
  })
})

test('prints a repeated error of background work once', () => {
  const other = new BaseError('Another error.')
  const lines = printed(({ onError }) => {
    for (const error of [full, full, other, full]) onError(error)
  })
  expect(lines).toEqual([
    'Warning: BaseError: The database is unavailable (53100).',
    'Warning: BaseError: Another error.',
  ])
})
