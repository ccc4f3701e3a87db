import { concat, getAddress, type Hex, keccak256, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { accounts, frame, report } from '../text/report.fixture.ts'
import { type KnownNode, ruleContext } from './rules.fixture.ts'
import { upgradeable } from './upgradeable.ts'

const { shop, stranger: code, relayer: admin, customer: owner } = accounts
const beacon = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/** keccak256("diamond.standard.diamond.storage") */
const diamondStorage = '0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c'
/** Slots of the facets in `LibDiamond` of the reference implementations. */
const facetSlots = {
  buy: keccak256(concat([pad('0xcce7ec13', { dir: 'right' }), diamondStorage])),
  diamondCut: keccak256(concat([pad('0x1f931c1c', { dir: 'right' }), diamondStorage])),
}

/** PUSH0 five times, DELEGATECALL. */
const proxyCode: Hex = '0x5f5f5f5f5af4'
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const adminSlot = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
/** A dispatcher's comparison: PUSH4 with the selector of upgradeToAndCall. */
const uupsCode: Hex = '0x634f1ef28614'
const delegate = frame({ type: 'DELEGATECALL', from: shop, to: code })

async function told(node: KnownNode, call = frame({ calls: [delegate] })) {
  const findings = await upgradeable(ruleContext(call, node))
  expect(findings.every((finding) => finding.code === 'UPGRADEABLE' && finding.severity === 'warning')).toBe(
    true,
  )
  return findings.map(({ message }) => message)
}

describe('UPGRADEABLE is reported for', () => {
  test('a UUPS proxy (EIP-1822, EIP-1967), whose implementation upgrades itself', async () => {
    const codes = { [shop]: proxyCode, [code]: uupsCode }
    const storage = { [implementationSlot]: pad(code) }
    expect(await told({ codes, storage, calls: { [`${shop} 0x8da5cb5b`]: pad(owner) } })).toEqual([
      `${shop} is a proxy of ${code}, and ${owner} can replace the code.`,
    ])
  })

  test('a transparent proxy, with the owner of its administrator', async () => {
    const storage = { [implementationSlot]: pad(code), [adminSlot]: pad(admin) }
    const calls = { [`${admin} 0x8da5cb5b`]: pad(owner) }
    expect(await told({ codes: { [shop]: proxyCode }, storage, calls })).toEqual([
      `${shop} is a proxy of ${code}, administered by ${admin}, and ${owner} can replace the code.`,
    ])
  })

  test('a transparent proxy whose administrator is a key-controlled account', async () => {
    const storage = { [implementationSlot]: pad(code), [adminSlot]: pad(admin) }
    expect((await told({ codes: { [shop]: proxyCode }, storage }))[0]).toContain(`and ${admin} can replace`)
  })

  test('a proxy with a beacon', async () => {
    expect(await told({ codes: { [shop]: proxyCode }, storage: { [beaconSlot]: pad(beacon) } })).toEqual([
      `${shop} runs the code that the beacon ${beacon} points to, and can be upgraded.`,
    ])
  })

  test('a proxy with the older slot that USDC uses', async () => {
    const slot = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'
    const storage: Record<Hex, Hex> = { [slot]: pad(code) }
    expect(await told({ codes: { [shop]: `${proxyCode}633659cfe6` }, storage })).toHaveLength(1)
  })

  test('a diamond with diamondCut (EIP-2535)', async () => {
    const calls = {
      [`${shop} 0xcdffacc6cce7ec13`]: pad(code),
      [`${shop} 0xcdffacc61f931c1c`]: pad(admin),
    }
    expect((await told({ codes: { [shop]: proxyCode }, calls }))[0]).toContain('is a diamond with diamondCut')
  })

  test('a diamond with diamondCut that also names a fixed implementation in the slot of EIP-1967', async () => {
    const calls = {
      [`${shop} 0xcdffacc6cce7ec13`]: pad(code),
      [`${shop} 0xcdffacc61f931c1c`]: pad(admin),
    }
    const storage = { [implementationSlot]: pad(code) }
    expect((await told({ codes: { [shop]: proxyCode }, storage, calls }))[0]).toContain('is a diamond')
  })

  test('a diamond with diamondCut and without a function that lists facets', async () => {
    const storage = { [facetSlots.buy]: pad(code), [facetSlots.diamondCut]: pad(admin) }
    expect((await told({ codes: { [shop]: proxyCode }, storage }))[0]).toContain('is a diamond')
  })

  test('a key-controlled account that delegates (EIP-7702)', async () => {
    const codes = { [shop]: `0xef0100${code.slice(2).toLowerCase()}` as Hex }
    expect((await told({ codes }))[0]).toContain(`delegates to ${code} (EIP-7702)`)
  })

  test('a contract that runs code at an address in its storage, which its code also contains', async () => {
    const codes: Record<Hex, Hex> = { [shop]: `${proxyCode}73${code.slice(2).toLowerCase()}` as Hex }
    const call = frame({ calls: [delegate] })
    const other: Hex = '0x3a4f1c10cc4614970474f0571366587bb57fe128'
    /** Runs the code at the address in slot 1, which is packed with other values. */
    const run = async (reads: Record<Hex, Hex>, follows = true) => {
      const asked: unknown[] = []
      const found = await upgradeable(
        ruleContext(call, {
          codes,
          reads: async () =>
            Object.entries(reads).map(([slot, value]) => ({ address: shop, slot: slot as Hex, value })),
          rerun: async (circumstances) => {
            asked.push(circumstances.state?.[shop]?.stateDiff)
            const to = follows ? other : code
            return { succeeded: true, frame: frame({ calls: [{ ...delegate, to }] }) }
          },
        }),
      )
      return { found: found.map(({ message }) => message), asked }
    }
    const packed = `0x${'07'.repeat(2)}${code.slice(2)}${'01'.repeat(10)}` as Hex
    expect(await run({ '0x01': packed })).toEqual({
      found: [
        `${shop} runs the code of an address in its storage, not of the one in its own code: it can change at any time.`,
      ],
      asked: [{ '0x01': packed.toLowerCase().replace(code.slice(2).toLowerCase(), other.slice(2)) }],
    })
    // If the slot is empty, the contract may use the address in its code.
    expect((await run({ '0x01': '0x00' })).asked).toEqual([{ '0x01': pad(other) }])
    expect(await run({ '0x01': packed }, false)).toMatchObject({ found: [] })
    expect(await run({ '0x01': pad(admin) })).toEqual({ found: [], asked: [] })
    expect(await run({})).toEqual({ found: [], asked: [] })
  })

  test('a contract that runs code with CALLCODE', async () => {
    const call = frame({ calls: [{ ...delegate, type: 'CALLCODE' }] })
    expect((await told({ codes: { [shop]: proxyCode } }, call))[0]).toContain('runs the code of')
  })

  test.each(['0x', `0x${'g'.repeat(64)}`, `0x01${pad(code).slice(2)}`])(
    'a proxy whose slot contains no address, without naming an implementation: %s',
    async (answer) => {
      const storage = { [implementationSlot]: answer as Hex }
      const codes = { [shop]: proxyCode, [code]: uupsCode }
      expect((await told({ codes, storage }))[0]).not.toContain('is a proxy of')
    },
  )

  test('a contract that runs code at an address in an unknown slot', async () => {
    expect((await told({ codes: { [shop]: proxyCode } }))[0]).toContain(
      `runs the code of ${getAddress(code)}, whose`,
    )
  })
})

describe('UPGRADEABLE is not reported for', () => {
  const clone = `0x363d3d373d3d3d363d73${code.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3` as const

  test('a contract without a delegate call', async () => {
    expect(await told({ codes: { [shop]: '0x6001f3' } }, frame())).toEqual([])
  })

  test.each<[string, CallFrame]>([
    ['its own code, as in a multicall', { ...delegate, to: shop }],
    ['the code of another contract that it calls', { ...delegate, from: code, to: admin }],
    ['a contract with a plain call', { ...delegate, type: 'CALL' }],
  ])('a contract that runs %s', async (_, inner) => {
    expect(await told({ codes: { [shop]: proxyCode } }, frame({ calls: [inner] }))).toEqual([])
  })

  test('a target on another chain', async () => {
    const redeem = { ...report().redeem, shape: 'decent' as const }
    const codes: Record<Hex, Hex> = { [shop]: `0xef0100${code.slice(2)}` }
    expect(await upgradeable(ruleContext(undefined, { redeem, codes }))).toEqual([])
  })

  test('a clone (EIP-1167), even if its implementation uses a library', async () => {
    const library = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
    const codes: Record<Hex, Hex> = { [shop]: clone, [code]: `0x73${library.slice(2).toLowerCase()}f4` }
    const call = frame({ calls: [{ ...delegate, calls: [{ ...delegate, to: library }] }] })
    expect(await told({ codes }, call)).toEqual([])
  })

  test('a proxy whose code cannot be upgraded', async () => {
    const codes = { [shop]: proxyCode, [code]: '0x6001' } as const
    expect(await told({ codes, storage: { [implementationSlot]: pad(code) } })).toEqual([])
  })

  test('a diamond without diamondCut', async () => {
    const calls = { [`${shop} 0xcdffacc6cce7ec13`]: pad(code) }
    expect(await told({ codes: { [shop]: proxyCode }, calls })).toEqual([])
    // No function lists the facets here, so they are read from storage: a slot packs address and position, in either order.
    for (const facet of [pad(code), `${code}${'0'.repeat(23)}1`] as const)
      expect(await told({ codes: { [shop]: proxyCode }, storage: { [facetSlots.buy]: facet } })).toEqual([])
  })

  test.each([
    [86_400n, []],
    [86_399n, [expect.stringContaining(owner)]],
  ])('an owner that is a timelock, unless its delay is under a day: %d seconds', async (delay, expected) => {
    const codes = { [shop]: proxyCode, [code]: uupsCode }
    const storage = { [implementationSlot]: pad(code) }
    for (const selector of ['0xf27a0c92', '0x6a42b8f8']) {
      const calls = {
        [`${shop} 0x8da5cb5b`]: pad(owner),
        [`${owner} ${selector}`]: toHex(delay, { size: 32 }),
      }
      expect(await told({ codes, storage, calls })).toEqual(expected)
    }
  })

  test('a token redeem', async () => {
    const redeem = { ...report().redeem, shape: 'token' as const }
    const codes: Record<Hex, Hex> = { [shop]: `0xef0100${code.slice(2)}` }
    expect(await upgradeable(ruleContext(undefined, { redeem, codes }))).toEqual([])
  })
})
