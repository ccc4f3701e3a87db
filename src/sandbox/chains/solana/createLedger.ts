import { brotliDecompressSync } from 'node:zlib'
import { address, getTransactionDecoder } from '@solana/kit'
import { type FailedTransactionMetadata, LiteSVM, Rent, type TransactionMetadata } from 'litesvm'
import type { Clock as SystemClock } from '../../../redeemkit/core/clock.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import {
  type ParsedTransaction,
  parseTransaction,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { type AccountState, accountStore, emptyAccount } from './accountStore.ts'
import { startBlocks } from './blocks.ts'

export type Ledger = ReturnType<typeof createLedger>

/** Creates a Solana chain in memory, without a network port. Each transaction gets its own slot. */
export function createLedger(options: createLedger.Options = {}) {
  const { now = Date.now, slotMs, lamportsPerByte } = options
  const network = networkOf('sandbox')
  const svm = new LiteSVM()
  if (lamportsPerByte !== undefined) setLamportsPerByte(lamportsPerByte)
  loadPrograms(svm)
  const { nextSlot, announce, ...blocks } = startBlocks(svm, { now, slotMs })
  const accounts = accountStore(svm, network.usdcMint)
  const runner = transactionRunner(svm)
  const transactions = new Map<string, LedgerTransaction>()
  const states = (keys: readonly string[]) => keys.map((key) => accounts.read(key) ?? emptyAccount())

  function setLamportsPerByte(lamports: bigint): void {
    svm.setRent(new Rent(lamports, 1, 50))
  }
  function record(transaction: LedgerTransaction): void {
    transactions.set(transaction.signature, transaction)
    announce()
  }
  /**
   * Checks expiry and duplicates in a node's order, because LiteSVM knows only the latest blockhash and forgets past transactions. Returns
   * `blockhash: true` if LiteSVM must check an unknown blockhash, which may be that of a nonce account.
   */
  function checkBlockhash(
    parsed: ParsedTransaction,
    behind: number,
  ): 'AlreadyProcessed' | 'BlockhashNotFound' | { blockhash: boolean } {
    const isKnown = blocks.at(behind).isRecent(parsed.blockhash)
    if (isKnown && transactions.has(signatureOf(parsed))) return 'AlreadyProcessed'
    // The blockhash is from a block that this lagging node does not know yet.
    if (!isKnown && blocks.isRecent(parsed.blockhash)) return 'BlockhashNotFound'
    return { blockhash: !isKnown }
  }
  /** Runs a transaction. `err` without `transaction` means that the transaction was not included: it paid no fee and changed nothing. */
  function send(bytes: Uint8Array): {
    err: RpcTransactionError | null
    logs: string[]
    transaction?: LedgerTransaction
  } {
    const parsed = parseTransaction(bytes)
    const verdict = checkBlockhash(parsed, 0)
    if (typeof verdict === 'string') return { err: verdict, logs: [] }
    const readable = { bytes, parsed, ...usedAccounts(parsed, accounts.read) }
    const before = states(readable.accounts)
    const { err, logs, computeUnits, fee, inner } = runner.send(bytes, verdict)
    // A transaction that fails before its instructions run is not included.
    if (err !== null && (typeof err === 'string' || !('InstructionError' in err))) return { err, logs }
    const transaction: LedgerTransaction = {
      ...readable,
      ...{ err, logs, computeUnits, fee, inner, before },
      signature: signatureOf(parsed),
      slot: nextSlot(),
      blockTime: Math.floor(now() / 1000),
      after: states(readable.accounts),
    }
    record(transaction)
    return { err, logs, transaction }
  }
  /** Simulates a transaction as a node that lags `behind` blocks would. */
  function simulate(
    bytes: Uint8Array,
    checks: { signatures: boolean; blockhash: boolean; behind?: number | undefined },
  ) {
    const parsed = parseTransaction(bytes)
    const verdict = checkBlockhash(parsed, checks.behind ?? 0)
    if (typeof verdict === 'string' && checks.blockhash) return { ...nothingRan, err: verdict }
    return runner.simulate(bytes, {
      signatures: checks.signatures,
      blockhash: checks.blockhash && typeof verdict !== 'string' && verdict.blockhash,
    })
  }
  return {
    svm,
    network,
    now,
    send,
    simulate,
    setLamportsPerByte,
    transactions,
    record,
    ...blocks,
    ...accounts,
  }
}

export declare namespace createLedger {
  type Options = {
    now?: SystemClock | undefined
    /** Duration of a slot. Default 400, as on the network. With `Infinity` only transactions produce blocks. */
    slotMs?: number | undefined
    /** Rent per byte of account data. Default: the network's 6960. SIMD-0437 lowers it in five steps: 6333, 5080, 2575, 1322, 696. */
    lamportsPerByte?: bigint | undefined
  }
}

function usedAccounts(
  parsed: ParsedTransaction,
  read: (key: string) => AccountState | undefined,
): Pick<LedgerTransaction, 'accounts' | 'loaded'> {
  const pick = (which: 'writable' | 'readonly') =>
    parsed.lookups.flatMap((lookup) => {
      const data = read(lookup.table)?.data ?? new Uint8Array()
      // The addresses in a lookup table follow a 56-byte header.
      return lookup[which].map((index) => formatBase58(data.slice(56 + 32 * index, 88 + 32 * index)))
    })
  const loaded = { writable: pick('writable'), readonly: pick('readonly') }
  return { loaded, accounts: [...parsed.keys, ...loaded.writable, ...loaded.readonly] }
}

function signatureOf(parsed: ParsedTransaction): string {
  return formatBase58(parsed.signatures[0] ?? new Uint8Array())
}

type Checks = { signatures: boolean; blockhash: boolean }

function transactionRunner(svm: LiteSVM) {
  function withChecks<result>(checks: Checks, run: () => result): result {
    svm.withSigverify(checks.signatures).withBlockhashCheck(checks.blockhash)
    try {
      return run()
    } finally {
      svm.withSigverify(true).withBlockhashCheck(true)
    }
  }
  return {
    send: (bytes: Uint8Array, checks: Pick<Checks, 'blockhash'>) =>
      withChecks({ ...checks, signatures: true }, () =>
        outcomeOf(svm.sendTransaction(getTransactionDecoder().decode(bytes))),
      ),
    simulate: (bytes: Uint8Array, checks: Checks) => {
      const result = withChecks(checks, () => svm.simulateTransaction(getTransactionDecoder().decode(bytes)))
      return {
        ...outcomeOf('err' in result ? result : result.meta()),
        accounts: 'err' in result ? [] : result.postAccounts(),
      }
    },
  }
}

const nothingRan = { logs: [], computeUnits: 0, fee: 0, inner: [], accounts: [] }

function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata) {
  const meta = 'meta' in result ? result.meta() : result
  return {
    err: 'err' in result ? describeFailure(result.toString()) : null,
    logs: meta.logs(),
    computeUnits: Number(meta.computeUnitsConsumed()),
    fee: Number(/\bfee: (\d+)/.exec(meta.toString())?.[1] ?? 0),
    inner: meta.innerInstructions().flatMap((list, index) =>
      list.length === 0
        ? []
        : [
            {
              index,
              instructions: list.map((inner) => ({
                programIdIndex: inner.instruction().programIdIndex(),
                accounts: [...inner.instruction().accounts()],
                data: formatBase58(inner.instruction().data()),
                stackHeight: inner.stackHeight(),
              })),
            },
          ],
    ),
  }
}

const memo3 = address(programs.memo)
const memo4 = address(programs.memoV4)
const loader2 = address('BPFLoader2111111111111111111111111111111111')

/** LiteSVM 1.5 has memo 4 at memo 3's address, so this function copies memo 4 to its own address and restores memo 3. */
function loadPrograms(svm: LiteSVM): void {
  const found = svm.getAccount(memo3)
  if (found.exists) svm.addProgram(memo4, Uint8Array.from(found.data))
  svm.addProgramWithLoader(memo3, brotliDecompressSync(Buffer.from(memo3Brotli, 'base64')), loader2)
  svm.addProgram(address(programs.lighthouse), Buffer.from(noOpProgram, 'base64'))
}

/** An ELF file with `mov64 r0, 0` and `exit`. It replaces Lighthouse, which no package ships: every assertion succeeds. */
const noOpProgram =
  'f0VMRgIBAQAAAAAAAAAAAAMABwEBAAAAQAAAAAAAAAAAAAAAAAAAAGgAAAAAAAAAAAAAAEAAOAAAAEAAAwACALcAAAAAAAAAlQAAAAAAAAAALnRleHQALnNoc3RydGFiAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAEAAAAGAAAAAAAAAEAAAAAAAAAAQAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAcAAAADAAAAAAAAAAAAAAAAAAAAAAAAAFAAAAAAAAAAEQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAA='

/**
 * Memo 3 as mainnet has run it since 2021: `spl_memo-3.0.0.so` of the Solana Program Library (Apache License 2.0),
 * 74,800 bytes, SHA-256 f520eaf096361abbb9639ea4dc3e5388a87b9330e121f476607b87c46ef67954, taken from npm's litesvm
 * 0.1.0 and compressed with Brotli.
 */
const memo3Brotli =
  'Xy8kUcK2aUTvdiC8ztQ+xEciBOfJGRGe86VHJCOtZTn+/1OCNkQS7P5Qk3bC4ji0oWlLM7OrVWZC+oyvTreHbkWLOGv32ItiKGjwoMGDGo+oLpdnc6er9+gbi2dFjGosBaJEY23pgj+BMvnZ/5/jcSjmKkWLB0sJzbtVrn3lJ5ZHe0J3DzG0yYlmUjQaFqeJTk1eydyEh55s6vt399kFIe0haeV1kvWeC1Ve+1JVknOpyA1cdg45QnBG5FBnvbLha1XOnXTccSeddJy27p900knrl477pePG8QD9n9Wfqsug08IoPRCzAr7oPMr9JGecWYUQva4wmO2TJ4KC1X++d6vOfeEHKsEnysrvJygroTA0K3OHZIW4EjT3BMHStljV18xEQ2u1EwETu81MXs3sKqfWqkKfN/f/v33ut9yH5Xvw4MGLFy9evHhnr3jxfC/eYRaj4MGDl1mZhVmGwbMYBQ8evN/7nHr4i80/8LQQAww0wALEA3lr1VqVTdsHgMKRRRbuNKEjkGfPEwqL/x8e5b5lHKiMgKHcLJKxJAQJFTG0DjWzNWn3xAa2XRH116lxOGeZI/Xy+eQ4k08oiVySEiT93LUdCjUh5ZMeDGO1C/97X7NM+fq+M+huvN4u7ierxzlGMi5Iph/R3UuqZ7a+nKVspMp78IF/h8R8YqeJ1z2msVgzpjRcb/jwByTwGj07AMTZeSBHVSBlmuTImXWGO5HkuTIu2tpcQaRe5ynt+kjW58ZzZFwQ2UhKIpcpCRTFivMNEhFEy6mBHdShkK5Uaat63IPCaHTracUFHeMihAqFdCE/nNVrPtbYIp16Mfi+7OJ/JXA4PAzDMByGw3A4HIYPh8PD74Ny+feSaszWOpVTmh/09G9aQfmye/5/9wo8DC+GYRgOwzAMw2E4HA6HB8Pwq55pbfGITyLbJz7K766Odr/qpUchAACkHUbgER2AMwCAvBkAAM7AViRaqKsJIGER4Ambf6LIvvoEZIC/AL/wjQGK7KsvBQ0w8R5+4TPCUCalnG3dSbIG2WCz9APTBQDtjDyQcEy4ycmS6mWShA4E/pVQz32B1Wvaj4rnjVZG6ntaUatzUv1uGzlZQKcBMAJLrF7Me6kVB5VrqRP1vqOCBVYP1G7AVGtkzu6+2/JbVo9VAFSaAhD7id8Uf8x7/NgErQzFS9NQ4dFtv+m6Ta46CzOfuO8kpS8b7dsuxStWxwGwjgIgDrZ1IE41dUAXATACZ2x4k34diB3vDKAWSd+Y+eHOAWoGBbCxG4A4ti4Dcd492TH/c6JERYCj0fcBAIBEAUDKjMUXz9Yb0IqaJjw/2T9BJDoCbBwmEDv+sSzyRpfIGZHFu3MS5jTAQARWT/ReFwdTUQnNNQrVOJ8f6bMFt6SKdRkL9qioM7oyPFSFkVnxyKJemQzr0ublXpnVq3yKq6qSGBPPU1e973pvG7pBjtakHywLIykyV9Tu1iW1555saf0GBPr9wFfTE4bzv06fpO5EbAoCSNsBUMWBiXRFldrGOKYS+8h1LGZosaqYytf576RL0He3UhUshX+VpFuXwyKXkiBFETL4UIeYEF8ocKos2RpyUS722imEjGeFF72RBRnPoRGVtmVcJtvNlirOtEZiftuEkQpK5Z8FpWLYYzN6WXh7spWUna7sejszu0b+AjlyvdqlE+pmg7Y4XpNV+t3BUmbHxkPqBepKRkTkktr8iCLDrDD9NJVe3YyuRh3Yc9t0jUIcJyFWwVCzXRqf0BOASmCU8cDMWiRxDVTa/eo2EvJAnMBAacMWXzz+sWVE7UZWlCQQZHgk6bJ7e6D2N6s4ZzYUJz70/6XU9qrKy1IBNaBo5TI7C2K6pjO4h5qXFE5KrJLfWqIBpdJ3FBfSR0FIioguP5Oy4+vF0cerHP5BGABpUKcBwBFQAYA02DwA6CQAuhMAzw1AAgAkEgF+pwBIJAAJARDIAKDjANzCABgwAcBhmACQBt9IARwGAEAaYkMKi0F3vNBkSYqPnJi8JV9ajnQb7eCdbFO97a5JQTunNdNo10WtVFNGlzORBApCmCl4GOzQcsPuulw3MzQ3nqY7zlURPf9gtSjVlnOZdB9Hq0SM8Q7pW1RpRXhS1PN1+z2Cuq9qwKpFksGA2QtzGwglqxJGx/3w9r02OxM3T+WoLjepu9Vq9g1MRD54cZzcR2M0PNWhEZRIbk2XCE/sw+NM0t7nvG4tqLxUCtVFPJq/ahPrf/ppAyDOAICtZFc2S5heY6a72SAqPqf8y241Dkig1mW6QC2dboHQUzMbZnnYkVBu/HP9ziYMi/rcetgPSpkOnHVUneiu1G3FgMAPDdEObLOAhV76k1tOU++shJMIOJwjodYwRb9AlfY+AQu2LFKszY4+seVJwlu1tYEtMm+yxRiT//Jq8ailep+NdtpLa+UqpcTnf6ibGLGq4mFrQ+1jUm0IOKxUoc+i3ieeCUAhfgoA3QCAtQ1TuvqrzDRg7RNzY3q1ic+XHvcPhf6q5C1MZhlKX7GBXM2mY2wNz3xQOz2Aw+qjNnIFM/u7u4qWyYRvPZnO8Z7KLVQwwBway5RVKjeV3lRF6h/QAtGoRkVes8oWn6vRlbpDGn85VCUH2NoYgMrYQFl86Q/VM1B23AQuBwT7Kg3I+Xrd3R9cgHTQ3NwspFx1CoOc6hEr2nTvZD5Pl5QccHh8/6T8OT80n3tEg+JPzVN/0zEw+crcjr0Ufyn+e/uq+k3vwum7TDcxPePUiRrydFTb8qfSNovPy0vxY3UZfF9t/pjMZycWrYah3txkc6Asdn2c2iOg2EBkUXXIxrLlflGNPLBC5kSViDsftVNPKmvjMzNuf6/ASZglHKfCcYJH9QaOKMA/TTUFOx45BBoyGT7vT673ir57i7VgCPcuJDCwXzP9xo8mSma/iAbaZRw/TcG3CeAdwzaI83N/afmamM+30n8WKAVh6R9BFPtPUCr9JRiKlZPZTuQBawCA6PePQW01cj6aYNwllKCPI7jBmHH6pqkaO0mFTNkh/lIXr7sNYD1u5GwqGjik3ruhcTFAVHsxQMkFAENO4NSycddFEvN2bsCl8VeO7lDoGxXxmW6WrrJzwyI5JbO+9STnG1WClIrtphQJNgRHmXcYZhg9UeUCo7ZDxyQxlmVDiEi2Coq9uDHrEWdZz6DjGj+p/qIKfRviLZ0tqGPZykY9zFs6Yb70eRPJ1vx+aSwWBgAA0bHafwNkTLsiWN7YX9nk4u9OQCuLAt34qYazj1aVhjkCQeNGNYtWidrIdoFgkXLmJij40l4sv8+MnByglwEwKnQBRokDQO9D1QA1pMIfF9SSYIqxsP79xqwQ5mOOUjRJ9yvrnp+ZwoWLAMLlI4DQPgDEwaEOJETufp7FW6oVIHoNStcCWmEn5TsJDTL2Lt3VyUIvishq7LgnIMvdwNUxqTuBOnI/O+Z6aKAEKtvMVx8RFlI4lWTUjUTT0BHwfv5NQ7N2XqmDtnan21yRBaSMTtdsZa5ZL8KIvoK+xPtbd2Elh575eEZOX/3ILm/s1QytAmDdwFcMk7ZqJF6qi7VzklUzdDzbshA5zdKNmoF+zxEZsUYVKt2wL0XiG3YdS09DCaTl1o7mbV7cA31lurVLfxU26rW4oZzwTFyKc8OKX+jiUxnxVYbGmO9bEUYD0gYEeTfPAlem1ffnGMjz/kDiSRpNuZozGaJptjf80epgnE+Z5niRmVW1l0+neH0hOsm4ZI3BOO4o1PQUn7mEG0ZmqlKp+cPiLVBFzQu00ivxJGuyGJlWFBZpmE8M/HSNu1xlSHYXzP66TP7gbS0Z9483qAzxeRbRRjC8jmUUzAFwTOcSbiAJVqISFtd2B1QRVKBbOxKF275P7s6XqMnAFxZz0x4LXfLN0Hwf5a4Og+CZkXvnojQSD5sQ0fbIC2ZMWvPvRm6o9cp57JEL1QapJF2ToI8PNwIAJG9TbBqH/7qqMZQlMybFeFFQMgnad6YGlR8x01rECUf2gGus0VkoLO+iM00cm9dHjFlBLo4Wm6LbKqST4pjqKrSSMgiMdU2TzT8dNyhsBvQAAO2CzYDXCYAoAccNuyahA5VEdrrYyilP7y5vBvCX6ap4id3u8s2hX3KlPcZLTqJDlvfyvfEtCMULHHCH7Td+VTxXVWmAE0uY18Q8Vl7cNghdi5E3Uo9tiNghOGJVEob7pwpoSHw7vms0fHUiYQgAbBEApBq3zmo5ahujylhPZdQkeeui/QxC+IVnmQ610lTtgIPJe8Cr0ILdBnpIQGtnUvDoX2JpkvK9Zndk4Lorv62FCQBoZU3bAH0eAGshAGEHAEQWABgJAtx4AJAOE9A2AGOEAJtqmm/dBosmnBgi5Pr0DCq4UzHo8QLqRjWzlSp6Gs94oV8tLk0+1msRdeDdUZCdLbL/ACAne9a71hthfO4yzKIRmPK3CupVv7Yk5h81JVDFD/Kybyh/2hs68Gqcyv0OxNlxZqj63bthf3Tl0Zb9sq5hetxAGFWk2qQxaykdrWcMrNFCWk2cmacEWmQkVrYoVtsZF2fLuWKCJHFiyeLPbQAf9kuARKIiyLzEiVbBwrMcY6UtFGtmTDRJGc0Gk57UGbUGjV6tU2kJDa7GVCiB9y+Cg6bE6ia4Oarfe5i9/Gn0djsjxXlowtnYSl92K4isZYvHO6MZlG9IcNQav+vOm4KEsR5wBPmPYTRxULdOtazNEbUPBFvjnjwOZSIHjD0XDVMpv65PtIPmKgdVgIY3CD8TQRqktQAMU1UFbJqjAJvmKTvUhOUbK1JX8iaJRUGpFp6lGkDzdU14hadkARiYHZ5UD2AVTZgy45LMqkIENhteu64FQBqE37MPJkgNSo36GmX0Ja3QZ9Sgj8uuvHkYqeFYivMnchYQPXa6B/dXBoukK0dAkUBkVC5kg0Hp/aMaJTkAJxKbcYbwPlRuhFk38pLzTlNzDax8PY7Skgbloj7hTgYUKEXhNPWeymuVOH9k/aVM+lXkQy60AsA134tbsXZe/yFlsln89aiHj+FDH+rmrxc9xhHgCAJWgcc/+SJEG7wvdjhvJhVqnCXVQNNJHBOkYCAJANZxySiaeLwMWJsGV7FYhaf5CrpdkAp155rhT1iyEQhkKawJY3udugZS6VpsHgG8hCNtZ7oGVe31//xMUImi+FkKzCZRbYNJAlFHDjvVeBF+FDw2KV9S7HHNi0+cE+cf+HhJCEkDHeLHDYDjY5x/VD1Sgr4LcGs6x3FE0oi3xgBfUPtBCZGMBBwD2Mp6Q5O+5fnw41WCuklv5yhPImEblZbFF8s+Ysd2xty9su/D20MbdvqSQJPYKafPAUd4VGTXGvs68YAvoVux+yygTTJBg4QaEZU7eAHzs9h0VzexxZhWbOFg1esdqxmZZzEWJwsUMyYhbc225i3Dz4a8sexHeZGAQNoOv4jIB46FW1wIXWEqixREsDYtOxhvElhJpIGeLjKr5CdvkIMW/5I+yxvqkkaeaLfuuuSULv6re+mS/6kDeVaDAeUHPEeUFSy9vxGkxkY7XNLfnRdQCTubGkiLqRnfNlmhcws/E8niTFPzt4M/Y1y7Ffd8szEyEUOUtTQfz8u7cUUvUjJfZYm3ldd4nELbVgBUL2S9C+hEhm+diNn3Z8VoIcACDfhFxojDS+NA6TIzKWW+KajANR2C+feQHCtaWnxp11R/m9VncqmVX3EmpwKOHlMmDmkz4EyAtW4zj+pQs6qULuWc5HQvnq4VO6stP/Yp4gynnwuJPFNJsqq2o9IrMleNv9BdGuqh20H5dW05LNvElUR02edyo75j1Le7FH0u8SLUZXJkOCKlh8rmtNLbJ915NJfmHCWJUY1s1DGcYpA+NKCEeCrMEhmQ/suYsZhcjxyuW5j4imEPwAQIO27DFFRGJDgffbjkgOLCvcjS/OzG4/zrP9y/OQFIXlNlJZXMwxPnsFh/1FK+20P+7+IxC9FTxg/Z7ibb0FkclbEkYh/xYKguy9ZXBCdq99ZZeKyZhFEBfGNCZjAUOxuRHeZrZQv660FQCKQlJ6WocjpwvkoFiPLnM+84Y4wGKLI3WDZ2Lj88wWYoEhacT1SBKDh9EyeNFI4+Ds2D6zcuMtxVDVy1stci9alxRJRzHAPKl+ZxmSKtgRC8QaWBCR7NcclKtTPIqb+QrGak2q1xlltzPmWBiytz91t5lQNPAP8qGnJneOM9WLnrqVNIoBiNHkvdT8U49zvmSHAkHVWgvtZ7VMcocGCUywW6bvE5i2X/so4cbJ/b82QFkSk2+Sbu7nJv1cfi5cY+arLRuGYxnEeJKGvthUYga7iDOs7UTw/8xtPwZO2r6yRLmTKJk/2Ht4b5FDdnsksUtXIdLy7Dv+dZWiPICsiZqk3DyifP9IbcIzPNSqzuIdDyffdeWe6fzFYt6IcABYC1garsLLTyVcjQPaEMTbkVIfOugt3OsY/2UhZmy5qurLLKKqt5jlnXI/jAwvD/pKstm1DgSFMGNUVPQOBsaTYKsLDlQ/eUN4dVqr4Dio88I9Veyobun3XBLP2+hu42e1siolJ1pxtTVKHakVJPSdf0fG27Q9Cb/sW4tiGahuj+fgDFumoflaPfzOb+Zauflukyp7ArOF2fba0nJY40VQZ7ea3RecbJuYdO54CR46r+KEWupCexxZbOO9ZlMvo9j/t4q7AkEyUz18n4Hy8BSFAdS2s4Ngk70zhlUh0LqTf9nRwpn303qRikYZwUTyX6LJRBJm2uxOiXHNU7DODiCezLZFiU5tvz3Yarw0rXNEWzshYDtTOfHtqjKtXWd2tdDgvhpWNK7+K2XCpb9kkKk+yR13AgIs7MREZSeqeSYKaePOcYxHhrQZciDMkg88PU0bJlPjKsElT7u4+j2LQkxUpSXPNI41AnSfg2hcyxi4Dw7Y3MJpN+tl13kgBlTNfXWQArVSbzXHMSIRUfcnNLbodPu8pz2TMde6fSOJXU5iagLf0bqi3YWvMjBtmtyGv4m8l1c7LTu90/pUODBl26a3RQR2VjOTzVQRVVnjI36WNEc2lRjRSNsQ/Y4FmMoOTUFw+jrNGlSPaeor3KbxcywqoFal6SVNb/tNcBvlFnh2Px3dM9LrnDR2rk5K+YRYkFuheA84E84J9/PsDI2ADoXgCkfxEgVJYxEMfQKSp7MUtv+sZ+3Q7n9vvYitTfoWfT207HmdP3jmmq782m0/8+vBCmeM/695/uizPJdDT+RZIZcyYvvycX/zQHZ9RlsJD4B+B7ib+ZfP09ecMfzkpVO1cY6UrNofwc9pajej3Gmm0BVC5bkDTkkL7+l5wgQCVQT8yg3Kqt/0QZ7dW/9DSy3Iqnu9YJNhKS3aTbkcNLK7A56fvCKXbiJWcbUvan7kZYNGJNzUaMnu5SHWkKpqoeJZ3krhKjtSG65m+7+DsXoJ6Y/BTy3PJzL3ACy0vCNzhvAAAICPCER2C3NoMBjWIEiVBMTcDTMvGZss52CrLWPibJwBinATzFqVNTFEw1sz/6M+y0zIoj7fENO4CxYYc785uHNf6NImKc8vU6D8FCI9c8KXWpLPqJUbvB7X2b7A68JqtbZSIR0Vi8WD8w+KwldSBsBGZh+nu56GDc3o7kdBxyyU3HUS6O7qItft2S9PNmPhuh644mE1gx0teEF96kLy/h98vDHnrRleaB32ZhDRasaTjNgVXAvJYlQnYzuuNVnRBZwLdP9uOLNVrXQ+AbSztMMhXEUswirY/i+9WFXQAsxxDU6B8q5J1rVb0A8PlaKIf9tNxiPgHrmIyHygWSQth1KQHpmHR/D+uRIMKXswq/5NOsFsi4gK8rCxSyT9uumJYH9QqB1NDY1rb7ssHQLJYxufHq43gsey7BqFpKOothNbEYNB5UBrNGsAit11jLkq04NDLdiqNGJmtdlH7TKMQvkjaptGpIYBkganU20ykaisjbQ9cigR7vPgn6AqtpIFZLFtDciUcOcHMXxO/yYWDPS1nzo7nh42GIm8USTRh6ZdvJKQMbgW8DG4Fh7EQP+cjPVxd1vDH7u+ca8pNSlfpD6kyN02UL66zcXF1WaWCM6hlf3SqC33tCL97aJs3bEKjKbtwrhZm1LQi1Caiy0Wi9TGoDPYuAjfOxaFZ6/GT23ACARKMG+J9le5+jU5BYJ8EkRlUKbtBZ3eC9DW/AGZsA0PMpACQSaMEXxp0fyi3MCZQHxjrmCeLgkDMizd3lOx72Js6aay52e4r1YKl0C7l8q2FJt2+lk/Az/TMZ0pA5Dv+h35ZDC3nHSdHHVUrlT3UodfvbINnc7i82Wbb7izPO+Ivdb4hyR+SzXPka+Rfju+pBLl8+BxJJYoSLSZqKPqneaUy3yAZGxpg+o+Sfr4GtRdAPicbXx97PsdUiZhbYy+WJVeQh1vBxf9qccohJ9PaR3stbOeKHPeCbKct5Sfdi9569LwA29vFVWox5np/CAgMC8b+Agt2YV6o7UF1kdc95wHvUAhErh7KVwOHMx5v9aybsqoCA7ej4A9Q6C9f/24r0HMcR/Oo98Ke5drctUvEXVCX375Ou7EMEpAfGtEemR/qfNmMZik1gfUncnWpZMY20D9bJA60/8JhZfAJFyRxgy+u0AYlhctbomymcKOcutJUJfzhLCf6bncLy3Z3wVK4blr8N704knGnA79wCgPSrko2TOnQgx9lRgfz+mZLJsW6XvrO6KKgWH8cWW7wRkPwDLr5Lz/GAokIdaFVWqBFkvkBzWE+fXW2kjDIoX055mPSJm1vFx9PhzAwrkWWD8iOlOi9SZMUHrV4oBZHDh3BeiiAQTSs9Ob3Cd3bHRCmzetjjjGmPM5TIcdn60FbxinT6OV8GAvmyXiCYyotX+JLy9OLxaCi2JuNt1O3o/Hho7K7GbqxEns66TyztLJ7/drrvvQr2PDL1vkwAAYmCCOgwAH5kwnYL/aQABvA2RXreIahwaY0ZCArhnCMd1p1EqWNdW/hCGpPF7bvOLkK22j91e4WdZ0KOZRGnvy+Owu8/AAAQIAb8yuJmLUCIStL0ylYFG5XvzVgHm+izu/3QZzAkvfjzAJtXANxECVCwSgDtBcDaRHRBAsx5e3sPoJ3hXtXmQ1slBztDeqokMskMdHBXeLOtKjxKVGTjQKH2kQ4jwhKYsLkcCiU4d/3ewdsrbGNL/YrO7witV5ZpzbJZNI8NvymyTYE/60s3hL0HmZkiNgCXEJZSaaVrz8UdcSwYIgnk4VeTOLNAQCbTWYmdPUlZa8rYDFyEAoTb1qIzEJfFOyGlKbONAEPY0U17XSArz9drgsgfuYDx4/K/x3r4ONJk/C/ef4GnNTVR/oOx2JQvZoyQpOJRzEwG6fUgMqI5AyMXrXXAqTEr1M7g6ahjh2J0/HGZ4dmvYfmghD3hyt+UtuVA0YPpOx0YDY9fwtCF2V0cUO0R1GCncUbY+Y+hs4L9bZ+6sk+YapjeDGKTibdcAwrI01jeg8ohqH7wahicGrf8CsPnqMvqUFlHJGPwW1bP5CXXfAjT7e6tJKlYrXA3wsRdx3X1F8w5RWe7T1bbp/daaglKb6tm01EhiVmvpmN09FWHAA+3l9vlkt58HyYkyNxieOKITKke3qpH0k6+kfmjO7vZ85hV2lbmpJ2NuaGfmX3fTB90s7mcIearanftSO9007n0dtVyaKuHP2AD55LZ/DQWFNjccrhKl8w17FPCE4+g8TLYq4dvfQQrwoMIaoRPhxm+/xE0hitIuJ8b19z2YexZ0q2KDSDOJqBlwVhzITsNpabyaTGjtL5BZZi0T8r7gRS4egCQ9sDoWm1d46vEVLj7Pzp2SxPg2jvMZFfKRoenkVZQQS4opp3JxDQvpJ41qKhdMqvJt2VUsNEEQJpTkkKRy4Suor1oxuj09CuLwH86hbEYbZetG7tq1lBvGecImT4v0RVjYoZX3XdlRteBvvD0/4i23UbByXNOesuuH4a6ZS41LVwTF5iErWXGwEWqm44eu2lmpfTO0IzbTp6DRYcdbUrDfMgjjvgRXzys1jAjwdCZq1Y0dK7o7ePfI++uUSzfaWKdnrWdrdTqi6V3yq7BImhnsrORqjW7M7f1aiujR5gOL770WL+0xPku5Jgdova6mPGUQoILU8OqmzTSWnNxkeEshYnTjolPv3vvwKhJ7npMcBbp2xsH2lPxYdqPtYN0amqzrltrzyDcOpPoJ2YeDM4kusp5z6XRZCLiIZHurho/4Ow9jdxn7uYyfuDY6jKjQUGV1bQ+OWT+eAnNwlOU8wYcMLYuggJwIYZNNyaHiEYQMVtptOIIQXXRIiJni1ioEtW1tibr/d6gPbr9ZRl2VQdAuUkACskNAGVBGpQLAZCaADicEoSQLKZq0lT5paCGZlGLCCYEx7QQqFmglzyuhh5PtAGKnNOBniQAKDerTpoR0dgilMMvhGsujeBs3RgWsFIIfhTYbxlpfyAOV90jQT9Y5LGLmUrVhG5vcoDkiVSwqJaehcMUQtc5OY8Yorvc0fUWjjeXqI2wDZiIPH9vUJN0QzmFn/fX0kEucPV1a7L1tQAqiw63anqYkXlW1GFMxVxHfA+gHK/kYxYlvn+tdQdXufoCLBkL+gZrK6wnlW3EtXs7xLN8exu6xG7c9+vPw8rtWkfzgc1H1ZE6e4SIjMyga1bYItm/qsipmym2YDf2J09F1yxskH8nkPDRWe7xFnt+y3F7WOdUYW70jqorrDfjG/L4qDW/37YuhUX3MjynkdVh5UfxnS8q4ShINHDrW9OpA96GCiH3rHPA3pETlH78zKzn4GmfMJUf2B2xWBAqppQ/ZBxRVCSpFvYGvu5/U+UyW9pVoFsXUxtWbzkTt+vmRPKH71Odo0BZx4SeGgCQfk2dkM4nmyeRh2VKW74S9zbAXZPwhd1kDRKJVBIeOWeNjLteALiYR0kYU/SAnsnHUYabiZPqU8/jfHLigpprcU3qSxx49JkC3eZZtFL4pc/Q2e3Cpwqzp4sZS7CnyTzsn93jUa7/c6LWtVtiFp5nvXecft8stsdHV5n8H1Fc6zJfRtk/e34ylZ5F5xXqxJ85hHyvL4NW0G8jzepfvcNMb0JAQCsF/U9c67SP/eFBFpJfIAhONCoE3RJuVbMh0sNtv1aYJNIAzNBSJvFUDuuExf14JU95kYOxy5E4xEXpx3cbfpz7h7BXjDDqp5gl7eEg3/zzNLsQRF0B/nbXX00gXmVA0FmY/UU1zq8CBdfkJd8+JNGIKWxYDGRxFVwgKEV99TBZqsSX5mJ9ollt5FWLn8VkyhpW3qhKcLban6O7asqmNdE7RjVCVc2QhmU2mbD5Z2vNwPuBDD5t5DYGjLuRoCycj9kEAE1yJ+JFs5qObaXlo7BemDCa5IR14h0eP8iDn1jky+FkyjcWHtaYkWABYGPp+5nsSWbA9zVoah/fTM9NNzIy0KvpY7MOb/E5i7tigOTrEMCyO8AOqJA5u136+D2rC41nIF3MyWsO6w2gp2ItM/BwYd1jCUxUs6OXtHPXyPdFNv2igyIy91b/UNJNbwTPhsZxcz6YSe67o2I2nbYSWFX9nlbAG1PkI4d5H0zgGpwGh9k6z10LHMJs8/Yh44H4xCP7eZxXMW49AqRXE0JYfd556Ze3QCwsmc47+q0DyFn/sYrU/YiHsWF8k7AhTJN4joaOVftkgoxyzH4hm5VqzP/VJel4McBczrP1QM2mGKMYdzCUBh2Kk8oK/fAAI/Bwi8h5s7S2SNdpGhJcorucgUCUQo2K/gENJHW9SNOny9Wn40XldltnHSI3KDfzMiDUF74fSEutnzQy2dZ5pIGo8I3S1r2Pa9rFux46jjRX/BWraJsr1PTBch5qP1V6MtFGh3JhC92XMvVb3EZcf+gA+0mYrjQ25V0iwH9YkEsgDnCDDn8VBB7EDzPHltO3Wb9kHjKgukdcv1GlkUmX6y+rSclHty0RGTHgR0rpIhn6ayB0+inTVa9RLnsymYldLi2ggU3xAmBNrY+thiV0Ri5Hv+lOJX1GsaK7d9LSVpDMyK1Rms1UBL2FQrPkzsgYQc9a1kXNjvypdJaqtKDOXc5EN4AUnZSJZoQmkjoD6JqtHnH+1qfxKWSyNb/X1axoHToXrNneuv8ab8iQ+kK0EVwEwqZMxR7UkUkZHQ2KJqH6bMzdk9EYnC5fzh5YNHsBKjFn8rW6qyD856ymlHfnXeiGIGp/tVyviabkSKo8nXi82wFGc7HFn6a7t1F0PG9XTgMsSTYRP+nN/e9Zu/CMs4aq12Zcl8sO3eOjddxKU2OlWw45NRIiyMVDcS0fRlKe6f23ekjYrDSR48HaI4efkceP7JDOTW6uG4YQH2yInewpdP6MvxAkuoTGlUVNuVCWy7vEkbrw1wylcPMt1azRCtC3LZg6+iRjtTHnc+gsUxaEhkdzdQF1v6UQk6BF6eXpykaN1JdX3jAABwcH16baGSzAhUZw9nQkwOvTNxBW3+TkyQP5HxlwPzyqhXamgHXysaq6sfr40R/1eD+dCNe+zwESAFpwlQEAwywTwGZzAP1XqAkAJefFANIkADYbFSE0rgIYZuPiW/g8yykBSm7nzwLzji0LUlAUvAE42gkM06kbwRbjr5qfjPXNxW/NZhOvqMcWw5OSiXPlQxNgWyiE60rJ7441qTAdPzKvApCOUAzidHJYA+OPLkVxZp8uTddk/gdhrSu6mHsoq5cxMQlGXtK6MOCJZDF0lS1h3U4F6CZOf/vWx6eHfSbT45kjUdiPhkL092ZcLJVC1fGaWxg0isCxgaGAIoPI5HDNre64PbSp6y2iWLXwbFKYRHZVPOkoR+4GyM1EahUb44uLmoL/i36yUV+osfxM0pTFEuT1qnUSZEFToFrphkA7tZLAE9NXgiwNgpWmJqWcTSMaKc66oKp2hMgSt+DspIVlcmfpLve+lUXXtF6a8bdHedvsu9bjm26ZZJm4vnpjXxYGCoF9EtY2imog0f8mVSsAoNYIgK9gqbJq0wTVC/An4SwiEAZAfGbqL/0eK7UjtN61QDp89vuYx6nHzuHT3xvFKiVnWSIP31nkazeXCQJ8c0n6TQot+6o/XV68m4FLMvvI26tqp+5SVthDkUaxbKHH8ZyZ7EzvEBVszb7m+beHXulgfNWQ0Gj2Z98Hes4Pq2RXAEPBz9UBoV0DREFTD3gq6YVE1w/itWHWz5tC3CoUyC8k3mkX5wjNfFGzmCBW7dzpMn5/x7V77Ks4FvaypWEAbDYkQacsO3xBYF+ttWSP2+1YJeFOQms60k/WFr4UZJHvPsWWTZkL1bG/zDzpT8+oCz11StmrbCoETWB5WOw3DV43iyxvPhHLstYxueYiFItvPymxI0UaGbPiVnNrnpFYjGZCV/nyrlyTdHS4XXfQx7b0IkaWv9yemycynazHeUqam1owvOswkBhlNc9a0nAFvXFmhyZncitFX+xQrGmnPrHbrhZ8ddsW9yQpXcVMTVRoaNa2EW/Eqqo+na+oHNaUus74XPL3t0hJfGXzmftxCz02L8T+byesNWwTYZsK28wGu0PhkOFy79annbwX2tHczthNebnFRAVG0F6NNnpeUDDxxQITadWGmiDuqWtxc0WNbOErxeIU77MQx02TFIEig6CkgC27RXCFdLwz6DiRis2CV0p3JojtzloTBrRgVAtn427WK+c7wPDT8uZpRsJzi+QaoLA3pKt6gsQIw5tbt5nNsMrFB1cfRJ3btn6ulaFCRwWVJomhXUpcqnWxRJ5ovMBz2gTpWCM6wyacwwjyc9pyf7/Wvbp/NJtywWc2/1FHjmWjxPIGapAczZ9vJnnJX1YDdAuI+yojLBJfocg1ngUjWeokYdudRYDduTUfeVmB/L4eZ+MKwookdXjzrbkDNhD+ME1249s0z3usTiSgq1p8VVknkfeHfG/Upf7RVE/2JvoiEOCnBMJMBZjDtNLXezMo1hXyClhgSy7FGyRi8nfC4Dyx6xE6lu9YgJEhYEwiqlNs22LCKj2ffG2x5SIrA1KVCQ8CdWiwlHkjekF/x2muRkwb6GW1AO/fmcKWyHIZ9Y7otiLFZbLs5y+/gIrpPwOl9BtR1aHT47GV4FEjo233P9XXMG85zInw0li4pTktvbw2hNZZj+Vh0mtp5T63gW70p4VigXQrVYzPzfVfjHTgQVreyaAQuK9Hojca+ZHBAuX8Kn8kn7IV2mV1iwi2mZiuSoGunIr5b3ouvuw/y/d+f9zv7YvjO8xlgbo0aSuVCO2+oG3B6CywRtWs1GujrstlA6M6zdXDGBnopc2Dbz4MUVMLL5ed7SfdQ6YD/sPa6uNxtRGLyErAZqCNBlgRqByqNouBkn7SBhtAG+uj7kNNMTC9aSY43WMN596kXlFvbYHFxPB3f5VLl4tiTrmFqYe0lZp0LnP0VQQaWSjy64XEZ2KK5OD3WVcBXLtxtX7BNkV4P6xhe2oSgemQlKvGZpEuIBtqKoull0IodiJzgTSXuz/w0/E97tWTpWfpL1/hcllzqbWSrenmGWxNWthoog1RJf5VVwkBZ3V76f88BlY1s7U7wbSmmw+1NaRRDf0cvLV4LcWrMq5BBl2p4iTEinnZS8ssTrcJDQYSk0t+cgrr9lEnsO5VjQsjbyn1bap0zDWLckNFsfVRnvOCUZG6bcrrrXd05BWMlGpPK3UoNWUEt/IvEoiv/PRc14xeBCCgGfxgCv4V65X1nmK6abX4HJRO/5K3wZL5RmrjayZn3ZIxrGSUj9Z3S+SAMgRdW1CuResnVOrq1I6NTcy+WjNmWYM6pr5GN2LKyPQGp43Si89KgMryZNCrH59JpoNGNcpTGriEipeFpvYJQBYSEJK7LG3VWTpLZ+ks1OUQs5S1uXhVY0Lnzr45gQyMASn4IJtLBjnIuEC99D+OtqwcTjjj/QHQze4qjZlMeETCOIFrkg5vI7LI7EGIH2HdCtjMFNivxbIsHV5pu4uLF8fGtyq+Knf4aMCNnytyVkZcw5dPfqXNRrtapIZeybctS16NoPYaee+YnkAuKZZls2cPxLGqh093hgVtmc7syuOPEhAwiVgPT4buBcC9JAHC5OEswfiUeWsatWptYK0otzQcYWTLQivDrnKz4UiKRZjEuOLOBCG5iR0FkFKons6a9oibmyv44JAI9KpCiyQzaps+6QazOIssYUV0letNmQAsCG5YaMnycXNvqWMTCx1KblKxb2oZDSvtYLb1gF9ozdvul/UkZ6j/Lw3qF9HdR6LbmqJshS4cVgvTL5FzALDV01R+QUP16YM+kMr2J341IJ0IgK0m5gO2Gi1J0KWtcYj+0tFH9eH7fgpsSU0qsrTPvfMV5/NVo5zwA2wZbuf5H4d5I3e0HgOIc0khUzCs0sRSb4pfvu6in1ipdsxMO9k4k6vCJ+xY3ZpuDgc18kktXkgL8deMMUyDBKZhgGFaxzCtY5gm4r1LHKvZgat6tmfc4uX/BGFAIpAQfXHjBWDovwMyuDSUesdvODZEjRCkUaWfmNiXhyTx2hNZRwC73cD9KwZN53u2skDkR8cMK6aY4WyYWEperQEPArjGfKAxViOGUWmHeprPOCKzUBp2W6a1pKxT1CxoGCy9QrSX0R4tukPARCr10ZzIgj5P3EN222Gyd8jBEcFioEpTJd4K1/s3G01VNlR9H+qnJa7Pc5mg8Y4zcU+j3Iag0HCYS6b0Igq9Je6qme/dvFmGYaBbF/Old4yEQelHgu0YU04aWV1T+2lnnlmjC4Er5XRxcjh4qeCk0MvjI7R/5TLxcB2DGnvB1hbxi6x/kP3ebtBIxaOYmXmk14PAN9dABqQvS7PGW9ku73Z7Y5XTQgsGpFdVL3sGpP1CnzKP9gyh+DCrN0Iwlok7Yvehm9fGt2AL7TpVMx5z5FVUWgKAYY0l0KBNRYMGTafpZjP2J85739kJsYGDbvaUnPlDwh34jfauGec7AUPqqosZcD/tJDAejv+jNcj/jBUKMn6HhDuS/zbCXeL/DQg0flVqmywiCgIy/Ewm/Qvwq1yNxidg67x4cgMgPPyjAGSXfT8h5B7f+Odh/JLVXX29MoqCLBCIDKDIyQE2DwBSmvFbiO8dOPy8rN3foSPPC8L/Bd3OSbta3f9/YBv1qXQcC3im2qqabpdVX4/sxApdKTyR7hP+YXDBKTS/KFxvlAOYU3M3ArONfcdn7thcv+f+eo9+qb/0EyMZXMkC6fA2NAkMStbxDZPglY5a7PhkTKKI//HXM+FXWcc7menmanISclepbf9i5V8wWOzWheuaKI2lQbiby8yOj4GYZC9McT+X6e33Uwbgp0j+uS9P6tYZfjlBu4ZS+CqAUsgpsQynG8vho6/zwCYux2jd7YMoBERye/AcHrm9cN12m3Mf85CtUCeLvpYvbFX7QcbrSvEJJIJ2wJE4R0ConMN7AZCN+s75hFxmvER47YWIXyurp7KB0rFam3Y1kprxpp/aIm7+x0JsUNkB6OsAlHUEnMXly+5u5wUA2H3xYdnmHblKUct0K2tJ7dPKj/Dg4tWnbvUXVj2YqXQLOhIo5vfwY1wDSIOQXlOUVZCy17SjFAQCoXFxQFnr8vYWqZP2GqCT/JvlO0gkTbDXewxZVu3Gcjgt4zUpTw3VUUbS3OljXh1A5AaAbDyMQufVSDvgtePez2KI7u+g8wuH+8Px8OgzVi4wVuHI/6enprI7l6mpDOJW68qmHFoAKq2hXFWGhdfegozRH/xXI8lcmkUSK8Z+xvkrp/Csni5nvGNgj5vf1c+0mskP497pMHULuhOx08abSL5XUwxIFCxIJAB+zzEQrTURmLA3ecVFw9q+7TgdGJMUZiHPfOi3gXQ2Xf3UdSRzjxz0+9cvubowRvlL8o6lPE5/390BZZmXCA433UtZZynrbN87B6d9IzB9fFbsTLLTugq9A273S11GdNO9C4OzHaKXsp/fvYZaVn8DSQhAxNEuaUwLhOGTNSruTYz8oiFpo3o2RxX8fyQzeNjUkaHmRAR44lf6JVHMj1MQW/m9TqjbnoHN1tA9gH3mXc48Lpoylg1Uy4GxMqRO7pQZfJezGGigC9tv0t/1KJCBenJoTs34ySBjNb1UyztudGcEkDSngJsHCfIBsNzzTYfHjlMvBbjAWH0xFOBkMIMAyOIUGsHAynAoLmvWr1A9qSpmet8JKPvo5ELbZ+Qj5GV2nj9JMjgu2I5OtV4jN09tTbJIRc+i4pSR9pA1PAJPcVyuKjEaAPdJnRnc+bmBbsbdPYtvnlZAtGAxxbwFX/INNMDOVUWldKrRIK7mNBtPrvwyc3wbcusk/yA4mkxpxavJ2BRlGFMijZwiGOEMlZ9cx29weRa7WvBlutyqWlS+O7aowWjkMLCiwtm7Sq0tZV6lyLzM8H8HmHbltbLcwUd1jq89ufHGFhkA6p2DMVxWz9KsikcJY4pKq9rlsPwh6eJdbkdswmzudMyDbnwiytCOMa06oz5KbyqmaFnK32DV59CUiIqOiY2LN6ddZWRmZefk5hcUFhWXlpVXVFZV19TW1be1d3R2QRuEUZykuTbFl0Uqq3o6m/+zWJ3ShMO3rwtyUaFUqe2SxsHRye7sonJtgX7Hpn9AYFBwSGhYeIRdq9MbjN2I8hVVjb1SWnHrhqOjPu1WnjnxklvBaFAa5K21Usn7SFnPK0WU+JXAfkdF5xIWtAe9YtS+8kdUm0muFmTj9lbTrxbiPh/ndhqpEimufLss7fbtqzHmqSjdrs+Cit1zM2tqWtAdbGHbFTPvlTX9B2ovxTK7xrKN5g1v8eA3Cg76FB0tUWOf8Wz0NwY5Xaks/bKDTqTI2jIOUuk5VtK4ovRI/cHazEVrZe4xVQ8+gtauUquV0yS1VR/ck23Qqvj6Vjlsp82nuu0RGCSkoJ1wVGcdTcAL6ow+CU6mU5sZjGqv/2F7Mp2dm8cAIAQjKBaH5xAkRTMsl8fXCKIkK6pWp/cYpmU7rtfnzwRhFCdpNpfvFGVVN223199ZLFfrzXZ3b//mcDydL9fbu/ufx/P1/vxr+8cFRur1uyc2z6NWz4O8gorY9/NZMvVf3u/JDTazstxTOjAEx2UYfqe+1HTZFi7v/HFp3975ZH8HpNxBfFJGqrrmHyyKTmNq6p7PkSV1Cu25WdnZMezugsWQSr1G8jETPS08migLQWaPP4rIfP2obDX4+l7REYSEaH0tFt9OFbSEvdz+YJ0khdmIEyLDhkaW8iicAEWuUEbBr5uvgvZf3vm5fygvvz+c2/ofDwNPZcOlzt+UVzhlVyYs6pOv+T+acIQwBgRzHC8JnnI30VGhUSpUUA00GgfemXFBrqwbcCeerBfj4+wLIqCW1cn1jBGY2EhmI7tkV+JaC1goYyGc+vbp2Xr6GmPxcz1tlqf7XJldUPgdjfkFdUpjU8v+N/3TZ8yes3n3kaPnL1y+8uLdeztQ0oSZouMsCUl5+U39M7Yr9vkDLly5cRMPlkGFEnO4X1Y2nqC5s6t/9tLll5cXpZDCsvJqOrumz958ufr85Ze27scrpDwX/1cBtfbvOXbi5P2HP947A1PXbThx8vzFGzefPM1ddPz6hRs384pLauqaWybPmLn7wMGTpy9cfCg5uzQ0/n63sKIYPvrFS6XKZ8RIT6+Wb77dsfPosb+di719snOKS2rrG5u//W7/+Xv3n/14/17Emb19CxYaWoL1ho07D568ePPhyyWpCxcZZ/qcOn3DfslDfQPhVOoQw/c/jBgZl5SSnjVr9v/2y8O+S5dv3X70+OP/4Sv8bS+hLZPzgFiyblPSrTHeTvQVcOMYaIDRkACGYCIJpSoNqeJY6CnwgAMEsAAAESIgx4zSCVmARDBSkxrCEidFKcwAOsBACatEC/QKavEdDocE0UvItgu4Y9t/oI44yV14R9FRHIIF7I7rSATKFrRQhAwwybXQHcsB3YYF7JNWCHWgl0sEKpBI4rkIZLNLjDNIOuCr9lPRadC20E3uNGkeMqAEwipdebrL2CvSB+4ionZED6BAcekF4U6jun86iOOtjY70EEcvGmOggOO5bE7EvXJvUA/reDre1VNw5nM5OgVvXSe6QNNqaH0STESE6HrJOlz9eWg4LoR0OqQngAdQKWSYYQADWY7jWQHJWTUjQQ1ykBxZJ9aFdYOeyIsLZIaAoewx9ja7d/y+/oA9ZE/olXzNPrHva3+Efyl/MzEkIbm4ZOaKFSsx4WOTkqt/ibeho2tsXHXN8ZgbN19pJk6esWJN5mPmxBx/XNY3Hjjo4blp86PHfNys2ZuIkJDcPXjmnJEt3/9Q375kaUho1fJVq9eu27hp+5Fj57BcdPKypGSVbdh47foq4ubuH5Sccv4C9A0ICg6Nirfk5heWVlRVL7r/n9fa0dU9dOzn33w3Zd2WnbtO3RLHrF139dqIkc3+XyEAdaALMgY9tXkBk8oTBvLeKAJlQmU43YIDYSAM5aLlDJ1ljeOdBY4uMoMOjjc6Iz/ggZjUeFiADFAgPEn1DYEiHwssyJ1AkZTmxUUpooieE6zBPtQayoXTCS58MfRWZSjdiIBz+BC+T56SFo4TkIDLMIPUANGprb65nEA3NPtnyQWscDATIVYL1fRUYmeFyNBVWR65XIWX2UqyBS+QkxcHlJyAzUSwxrrRi5GK8Uu7++T03JRj/YaZt205qw/bzCQcsq3BQrYQihxsuxq6CqCZSKnQc+GfnO2X9QqrjwlIkLNOmwyHIgXgiXpuK/1dGMuNcMmmSxzFGt6NTrTmgIF0ldNAaQS9rwPukLWOsiBmQEYfhhVCAbLjpczCJHomETOwCnlEs1alFnaK1YICNIEks5dCC3nCKjFdMv6BoABy1CvWEdFRhPGcgEM57/LPgAnQDaIjBAgo8IABOAkz4dcW0AAAugxJemDkiVpBHRE4c26zrU4rBwaevi1igc/XUucxDfygqjmjjhRohWYbDAIzj5qvrG/phV1rOZkkF9b/juWpI20A9vn2Bpioxp7/5hPeqIEnNn5f5UhWNwDwh3gUX1bmurapCfgDwGzMRh11wAdbW8tugq3AlRCBZ6i0QTsVaD382uvuA72NbNApttDNlmDnDqD1lgToPAWHGdfmJLFzQgwQvayysW2YNrJ8sBvgMUAOoP13D5gBgMSxJVdiLXo0bWCmlTYBKMA3GqEJ8ND1KB8YAF73SMPaFmhOgxb0CD0CICBKYFNKRuWeTEF5qz5AXM2AX0W9bozYb8NszAHmzmvR/43mW2DhosWwBAsvXeYLmeUrbH2lL/JVq1nj0127br3XmA1YBmzExCabdW62ZStvhKcA8su4CQHAjL9pAzwDuBLQATM8IAK9jc3wP+l78gLtr9WAUgJmNswFQPtlG9r/ChLgwqCNmep5AL0RaAFw5LQPANpNHwysBaB7HgBg6RfgDzfZgDYxnYyAJzx0l9oeaoDHNhIAHv4Cj5HRDOChj34BgLcAgAnAPMDDtAG0PcCVAG984rsfs7GT2YAe7r3xjydezQ3QleDhXv+THtCpdhU6nrh75D0nKJz7qn3kqxW0vr5fwQpW3XaoNkxoaPq4su+fDXbH5Fv+RWkXcsXfdwiZ0v+wv/z8gfqKFr1YF3UNEtnR7eTGELAWABD3nY3ygVqoc6t9xwCLOWQBAApsxDtyWcK2WZiDOAQnlanjoDJUC858xBFqNYJqIbUGKou1vsz2A9jk+nj2aqkEsGIzQSYj9aJJdQDrgPqvJJMCZA5uqjZ028FbNLl2ceKASAMxJo4FYloARM3VUQC9tabootuUu82lmx5w0FSr3DaNx7qaWMmLQ5trFNchOzxfB2GNihr/ZPGrrylzohOIZ9Bz2weV9q1LoqPFPP1kl//5u8ZlFr98c1fa79FScFNjgjxWpQ2zHWaiPVG2YeaWCVbweQGV76713jMem3YQa5Ia6o6zeeRf9eXwuZr4ZtOJ9/F/+wLovU8zAABsu08aAAAG7vMWAADgJ2+5FAC4UqMRAO68D0D/A1LCbR6wHpve84BLNh0k7N9b8fsPrAAAgMUPrAMAAJY/IAAAoP6BHgAgXdIIAJc8YhUAAGRvkQEAgNwtshBGO7Ld2257RNu2/AXMr47rH9FQf2btsWE0jXndD/PHBVT2/66Pjcu2X3xEevtX4IKbihAAkYgUEI/ikub335P7fY/R7duJEy4AMHBp7VgH+JXH1sNduesxK0XwBOIjohOI76eeJ/7rn1inszjvyabpJ2w9VjtwLC869LmDgS6BWK93at/OSvEfYDa5NzV8YrrGyBPceH+AV46eB10SAgBm9vcLEPFOoIaH9vc63ewmrN0PJwOg/RvRG+ndsB3wjdmwQKX8sZyPuc84Wo5sy+kY/Wx+SXFJXBpjXLZ8Rfzm/IAY10WOrY9fiBti3Bg/zKa4OW6J//q4NW6LkjO279gZH2NXjLv3tP6l+Pf6UYwnRNzHiXH0pHjBjijEkST+m57GLI+Sy7CIwoEXd/EUoKr78WfCIPtXupQPnvrCdxzwpw+Q4Q8dYLsoq0Z+/b+75yy6Do/ZXQbn6Vz+xmz8U6L8S61y6G79DSgKOsCLIbQcePC/noLV7Pf+Gbdcq9v+LGB1777/juudYPzfBWCmsmMJyNJ2DP7Es8BqBCceB6CbAHAl4U/qXgqlzIeuvxG3//L9HkWunIRVK+ZPyu/eJZjKItJbxU9rBEiDgAZIpWRapOE99X/n/72dDUxx/b7yS4fgmlNovI+oqhcJR1P7f2nUJNU9XYVIUqHmX5UOaOeMLv+Sq/WyRXSIwKYh10GL9kZItvyrOAcxVWq7RimJtnYCxFTGY1P4Hf6bIKVoYVZqa0FLgroUXf4jp6jcIVXHNK0zaZJWVOkeK/2fmLiEGrUamrJV5ZKV7/g/zTJt82wWcjUFtoJWhTRpa12k/n+KytqKCzqVaV2heJOsvlqZXeda5XbtenQZRr5upOpRVNqMJqVYNYZixViScq16aZIr7aNetvU4muWLW2Ri6iVb2alRr1GTlKxWeUVl7SWyICahWq0GTZpl2n9Ott0XZNp+SUb5bfgK+vof2n5DWrniW9InXeC7TUKpnKqVaZVXVNY24CAqoVqtBknNlTbU9FNQLh0g0ThJ9WSKKsWnZGrUN0xVw2iRV1QZcCR2qjtvYgUEAKpnaJpj29BxLs5yKfY6zMdWULJAq4XUKjcsUruYcpclKpYqWUaqdLn6lRpXqeSkpGVKt5BquxXy7bah1U7qqnapuEK9XOMdtZxWeUUV7QPlJVSpVqO+6gHF1g8p1z4yNU/xTLNCxXMata6yn/8gLatVQVGl5B8SajV+gvSceA4dNJCuclDqRLqjM7oX6+SKei/Fg2Qi1f5Kw1VFOOsFjA0xauNVWGwVVKuR1FyeQPkNzwFStohOWepyqbQr0lSqplyHSuXVSlo0jtQyRnWvmnG6fKPbutZUlU19v5IBalsmaTWZ2oZpSqdrNUPjTF1nq1mr4za03QmNjVdM7Q08qH6o3SOkfZGe1JRVoXfwhGZT+DK5D3ikQYKEFAgASEMGmwe7Bz0pVg+oD95w4/Vwe9CTPOH64fc/4fr9SMxnKuQZ/vAHrh3ed5NNi3Zj9eDISUMPJQidkBeF1RMjN9x4/Y1vfRuO+fJPGbCy+OjdgBWFDHAaa7wCELAa4ET192IFyIFkgxApfzGA/bgf7Xp1nwk0QBqrDKkFhA1UFokFpP2+D+h+TJ3AGluBFZAi9cakeZxACOA8awPSkJKKY8IALkGFf+7/2H416YhJcBKgASZY/QagEXgkxoGrhYTIijdmJEvlMfHzQFwZHPgC+P88mSe4CkAA'

export type LedgerTransaction = {
  signature: string
  slot: number
  blockTime: number
  bytes: Uint8Array
  parsed: ParsedTransaction
  /** All accounts: first those in the message, then those from lookup tables, writable before readonly. */
  accounts: string[]
  loaded: { writable: string[]; readonly: string[] }
  err: RpcTransactionError | null
  fee: number
  logs: string[]
  computeUnits: number
  inner: {
    index: number
    instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[]
  }[]
  before: AccountState[]
  after: AccountState[]
}

export function isWritable(
  { parsed, loaded }: Pick<LedgerTransaction, 'parsed' | 'loaded'>,
  index: number,
): boolean {
  const { keys, signers, readonlySigners, readonlyOthers } = parsed
  if (index >= keys.length) return index < keys.length + loaded.writable.length
  return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers
}

export type RpcTransactionError =
  | string
  | { InstructionError: [index: number, error: string | { Custom: number }] }
  | { [name: string]: { account_index: number } }

/** Converts LiteSVM's error text to a node's JSON: `InstructionError(0, Custom(1))` → `{"InstructionError":[0,{"Custom":1}]}`. */
function describeFailure(text: string): RpcTransactionError {
  const instruction = /err: InstructionError\((\d+), (\w+)(?:\((\d+)\))?/.exec(text)
  if (instruction !== null) {
    const [, index, name = '', custom] = instruction
    return {
      InstructionError: [Number(index), name === 'Custom' ? { Custom: Number(custom) } : name],
    }
  }
  const account = /err: (\w+) \{ account_index: (\d+)/.exec(text)
  if (account !== null) return { [account[1] ?? '']: { account_index: Number(account[2]) } }
  return /err: (\w+)/.exec(text)?.[1] ?? 'ClusterMaintenance'
}

export function failureText(err: RpcTransactionError): string {
  if (err === 'BlockhashNotFound') return 'Blockhash not found'
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (typeof err === 'string') return err.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  if (Array.isArray(err.InstructionError)) {
    const [index, error] = err.InstructionError
    const what = typeof error === 'string' ? error : `custom program error: 0x${error.Custom.toString(16)}`
    return `Error processing Instruction ${index}: ${what}`
  }
  return `Transaction failed: ${JSON.stringify(err)}`
}
