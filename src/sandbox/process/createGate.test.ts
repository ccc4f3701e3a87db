import { expect, test } from 'vitest'
import { createGate } from './createGate.ts'

const onTimeout = () => new Error('still pending')
const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

test('waits for pending work before it shuts, and delays new work', async () => {
  const gate = createGate()
  const order: string[] = []
  const first = gate.pass(async () => {
    await later(20)
    order.push('first')
  })
  const shut = gate.whileShut(
    async () => {
      await later(20)
      order.push('shut')
    },
    { timeoutMs: 1000, onTimeout },
  )
  const second = gate.pass(() => order.push('second'))
  await Promise.all([first, shut, second])
  expect(order).toEqual(['first', 'shut', 'second'])
})

test('runs exclusive work one at a time', async () => {
  const gate = createGate()
  let shut = 0
  const work = async () => {
    shut++
    await later(10)
    expect(shut).toBe(1)
    shut--
  }
  await Promise.all([1, 2, 3].map(() => gate.whileShut(work, { timeoutMs: 1000, onTimeout })))
})

test('opens again after a timeout and after an error', async () => {
  const gate = createGate()
  const endless = gate.pass(() => later(60))
  await expect(gate.whileShut(async () => {}, { timeoutMs: 10, onTimeout })).rejects.toThrow('still pending')
  await endless
  const failing = gate.whileShut(() => Promise.reject(new Error('failed')), { timeoutMs: 10, onTimeout })
  await expect(failing).rejects.toThrow('failed')
  expect(await gate.pass(() => 'through')).toBe('through')
})
