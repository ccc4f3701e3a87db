/** The address of the Lighthouse program. */
export const lighthouseAddress = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

/** The program's own errors, with its numbers (`lighthouse-sdk`, `LIGHTHOUSE_ERROR__…`). */
export const lighthouseErrors = {
  assertionFailed: 6001n,
  rangeOutOfBounds: 6005n,
  accountOwnerMismatch: 6009n,
  accountNotInitialized: 6011n,
  invalidInstructionData: 6000n,
  /** The runtime's own numbers lie above 32 bits. */
  notEnoughAccountKeys: 11n << 32n,
} as const

const mark = 0x72_6b_6c_68

/** Instruction data with which the stand-in returns the given result: 0 succeeds. */
export function verdictData(result: bigint): Uint8Array {
  const data = new Uint8Array(16)
  const view = new DataView(data.buffer)
  view.setUint32(0, mark, true)
  view.setBigUint64(8, result, true)
  return data
}

/**
 * The stand-in: an SBF program that returns what its instruction data says, and `InvalidInstructionData` for
 * whatever was not written by {@link verdictData}, e.g. a call from another program.
 */
export function standInProgram(): Uint8Array {
  const code = Uint8Array.from(
    [
      // Input: number of accounts, length of the data, data; it is called without accounts.
      instruction(0x18), // lddw r0, 3 << 32: InvalidInstructionData
      instruction(0x00, { value: 3 }),
      instruction(0x79, { to: 2, from: 1 }), // r2 = accounts
      instruction(0x55, { to: 2, offset: 5 }), // exit unless 0
      instruction(0x79, { to: 2, from: 1, offset: 8 }), // r2 = length
      instruction(0x55, { to: 2, offset: 3, value: 16 }), // exit unless 16
      instruction(0x61, { to: 2, from: 1, offset: 16 }), // r2 = mark
      instruction(0x55, { to: 2, offset: 1, value: mark }), // exit unless ours
      instruction(0x79, { to: 0, from: 1, offset: 24 }), // r0 = the result
      instruction(0x95), // exit
    ].flatMap((bytes) => [...bytes]),
  )
  return elfOf(code)
}

function instruction(
  code: number,
  parts: { to?: number; from?: number; offset?: number; value?: number } = {},
): Uint8Array {
  const { to = 0, from = 0, offset = 0, value = 0 } = parts
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, code)
  view.setUint8(1, (from << 4) | to)
  view.setInt16(2, offset, true)
  view.setInt32(4, value, true)
  return bytes
}

/** The smallest ELF file that the runtime takes: a header, the code, the names of two sections, three section headers. */
function elfOf(code: Uint8Array): Uint8Array {
  const names = new TextEncoder().encode('\0.text\0.shstrtab\0')
  const codeAt = 64
  const namesAt = codeAt + code.length
  const sectionsAt = Math.ceil((namesAt + names.length) / 8) * 8
  const file = new Uint8Array(sectionsAt + 3 * 64)
  const view = new DataView(file.buffer)
  const long = (at: number, value: number) => view.setBigUint64(at, BigInt(value), true)
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  view.setUint16(16, 3, true) // shared object
  view.setUint16(18, 263, true) // machine: SBF
  view.setUint32(20, 1, true)
  long(24, codeAt) // entry point
  long(40, sectionsAt)
  view.setUint16(52, 64, true)
  view.setUint16(54, 56, true)
  view.setUint16(58, 64, true)
  view.setUint16(60, 3, true)
  view.setUint16(62, 2, true)
  file.set(code, codeAt)
  file.set(names, namesAt)
  const section = (
    index: number,
    parts: { name: number; type: number; flags: number; address: number; at: number; length: number },
  ) => {
    const start = sectionsAt + index * 64
    view.setUint32(start, parts.name, true)
    view.setUint32(start + 4, parts.type, true)
    long(start + 8, parts.flags)
    long(start + 16, parts.address)
    long(start + 24, parts.at)
    long(start + 32, parts.length)
    long(start + 48, 1)
  }
  section(1, { name: 1, type: 1, flags: 6, address: codeAt, at: codeAt, length: code.length })
  section(2, { name: 7, type: 3, flags: 0, address: 0, at: namesAt, length: names.length })
  return file
}
