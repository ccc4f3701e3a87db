import { describe, expect, test } from 'vitest'
import { isGuard } from './isGuard.ts'
import { programs } from './programs.ts'
import { readInstruction } from './readInstruction.ts'
import { recordedGuards } from './recordedGuards.fixture.ts'
import { transferLayouts } from './transferLayouts.ts'

function read(hex: string, accounts: number) {
  return readInstruction(
    {
      programId: programs.lighthouse,
      accounts: Array<string>(accounts).fill(programs.system),
      data: Uint8Array.from(Buffer.from(hex, 'hex')),
    },
    transferLayouts,
  )
}

describe.each(recordedGuards)('on mainnet: %s', (_what, hex, accounts, name, asserts) => {
  test('is a guard, and says what it asserts', () => {
    const instruction = read(hex, accounts)
    expect(isGuard(instruction)).toBe(true)
    expect(instruction.name).toBe(name)
    expect(Object.values(instruction.args)).toEqual([asserts])
  })

  test('is none with a byte less, a byte more, or one account more', () => {
    expect(isGuard(read(hex.slice(0, -2), accounts))).toBe(false)
    expect(isGuard(read(`${hex}00`, accounts))).toBe(false)
    expect(isGuard(read(hex, accounts + 1))).toBe(false)
  })
})

// 66hhUzJEyouUj6Zge5kK8UQxKncTbmntXCPeHAL9pLEQQKeAAVKoyTwSRuF59EuMAhJcwgwEgyY6X3svHdSgHZzL and
// 4L7Bfjj8P5GyChqaVmVFbxxgzrhzAkBJU6Tk3DtsL75m35GYTS35q9mQbUUcpffDj2g14xxWRARWFtMUGpeEDxnG
test.each([
  ['a write to memory', '0000fe000101', 5],
  ['the close of a memory', '0100fe', 3],
])('on mainnet: %s is no guard', (_what, hex, accounts) => {
  expect(isGuard(read(hex, accounts))).toBe(false)
})
