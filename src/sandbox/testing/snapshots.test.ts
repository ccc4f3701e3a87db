import { expect, test } from 'vitest'
import { exclusiveNode } from './snapshots.ts'

/** Creates a node that responds after a delay, and records requests and responses. */
function slowNode() {
  const seen: string[] = []
  const ask = async (method: string) => {
    seen.push(`asked ${method}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    seen.push(`answered ${method}`)
    return method
  }
  return { seen, ...exclusiveNode({ ask }) }
}

test('waits for pending requests and their follow-up requests', async () => {
  const { seen, ask, alone } = slowNode()
  ask('first', []).then(() => ask('second', []))
  await alone(async () => {
    seen.push('alone')
  })
  expect(seen).toEqual(['asked first', 'answered first', 'asked second', 'answered second', 'alone'])
})

test('requests wait while exclusive work runs', async () => {
  const { seen, ask, alone } = slowNode()
  let late: Promise<string> | undefined
  await alone(async (inside) => {
    late = ask('late', [])
    await inside('own', [])
  })
  await late
  expect(seen).toEqual(['asked own', 'answered own', 'asked late', 'answered late'])
})

test('runs exclusive work sequentially, even if the first fails', async () => {
  const { seen, alone } = slowNode()
  const first = alone(async (inside) => {
    await inside('one', [])
    throw new Error('It failed.')
  })
  const second = alone((inside) => inside('two', []))
  await expect(first).rejects.toThrow('It failed.')
  await second
  expect(seen).toEqual(['asked one', 'answered one', 'asked two', 'answered two'])
})
