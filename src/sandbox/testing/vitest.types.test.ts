import { expect, expectTypeOf, type Matchers, test } from 'vitest'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import type { RedeemMatchers } from './matchers.ts'
import './vitest.ts'

declare const report: RedeemReport
declare const promised: Promise<RedeemReport>

test('matchers return a promise if the received value is a promise', () => {
  expectTypeOf(() => expect(report).toSettle()).returns.toEqualTypeOf<void>()
  expectTypeOf(() => expect(report).not.toSettle()).returns.toEqualTypeOf<void>()
  expectTypeOf(() => expect(promised).toSettle()).returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf(() => expect(promised).not.toSettle()).returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf(async () => await expect(promised).resolves.toSettle()).returns.resolves.toEqualTypeOf<void>()
})

test('every matcher is declared', () => {
  expectTypeOf<keyof RedeemMatchers<unknown>>().toExtend<keyof Matchers>()
})
