import { expect, test } from 'vitest'
import { examples } from './list.ts'
import { runExample } from './runExample.ts'

/** Starts each example as a user does. */

/** Examples that run until Ctrl+C. The others end by themselves. */
const served: readonly string[] = ['dapp-redeem', 'wallet-extension', 'pay-button-page', 'merchant-server']
const names = Object.keys(examples)

test.each(names.filter((name) => !served.includes(name)))('%s does its work and ends', async (name) => {
  const { code, output, left } = await runExample([name])
  expect({ code, left }, output).toEqual({ code: 0, left: [] })
})

test.each(served)('%s serves, until Ctrl+C', async (name) => {
  const { code, output, answered, left } = await runExample([name, '--port', '0'], { interrupt: true })
  // The merchant's server has no page at its root.
  expect({ code, answered, left }, output).toEqual({
    code: 0,
    answered: name === 'merchant-server' ? 404 : 200,
    left: [],
  })
})
