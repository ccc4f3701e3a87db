// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import * as entryPoint from '../index.ts'
import { world } from '../wagmi.fixture.ts'

const all = Object.entries(entryPoint).filter(([name]) => name.endsWith('MutationOptions'))

test('there are all of them', () => {
  expect(all).toHaveLength(7)
})

test.each(all)('%s runs at the click or not at all: never later, never by a timer', (_, options) => {
  const { config, kit } = world()
  // Each takes these two.
  const make = options as typeof entryPoint.redeemMutationOptions
  expect(make(config, { kit })).toMatchObject({ networkMode: 'always', retry: false })
})
