// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {IUsdc} from "../src/IUsdc.sol";
import {RedeemTest} from "./RedeemTest.sol";
import {Test} from "./Test.sol";
import {
    KnownTokenIdMerchant,
    NormalMerchant,
    ReturnedMerchant,
    SafeMintMerchant1155,
    SafeMintMerchant721
} from "./mocks/HonestMerchants.sol";
import {
    AsksBeforeItTakes,
    LooksAtGas,
    LosesOnShortGas,
    SaysCommands,
    SaysTooMuch,
    TakesFromTheRich,
    TakesTokenBack,
    UndoesItsPull,
    WritesWithoutEnd
} from "./mocks/SlyMerchants.sol";
import {RedeemCase} from "./redeem/RedeemStage.sol";
import {RedeemFinding} from "./redeem/RedeemTexts.sol";

/// @dev Compares the verdicts with `mocks/verdicts.json`, which the TypeScript tests read too.
contract RedeemVerdictsTest is Test, RedeemTest {
    uint256 private constant PRICE = 10_000_000;
    uint256 private constant NFT_ID = 7;
    string private constant TABLE = "contracts/test/mocks/verdicts.json";
    /// @dev Rules of `ruleCatalogue.ts` that require a trace.
    string private constant TRACE_RULES =
        "RECEIVER_NOT_CUSTOMER USES_TX_ORIGIN DEPENDS_ON_TIME DIFFERS_ON_SECOND_CALL SEES_ONE_CUSTOMER GAS_ABOVE_LIMIT SWALLOWS_FAILURE UPGRADEABLE ";

    function test_verdicts() public {
        string memory table = vm.readFile(TABLE);
        uint256 row = 0;
        for (; vm.keyExistsJson(table, _row(row)); ++row) {
            // Makes an external call for each row, which frees the memory of its recordings.
            this.compare(table, _row(row));
        }
        vm.assertGe(row, 20, "rows of the table");
    }

    function compare(string memory table, string memory row) external {
        string memory name = vm.parseJsonString(table, string.concat(row, ".contract"));
        string memory wanted = "";
        string[] memory codes = vm.parseJsonStringArray(table, string.concat(row, ".codes"));
        for (uint256 i = 0; i < codes.length; ++i) {
            if (!vm.contains(TRACE_RULES, string.concat(codes[i], " "))) wanted = string.concat(wanted, codes[i], " ");
        }
        uint256 before = vm.snapshotState();
        RedeemFinding[] memory findings =
            judgeRedeem(_case(name, vm.parseJsonString(table, string.concat(row, ".shape"))));
        vm.revertToState(before);
        string memory found = "";
        for (uint256 i = 0; i < findings.length; ++i) {
            found = string.concat(found, findings[i].code, " ");
        }
        vm.assertEq(string.concat(name, " ", found), string.concat(name, " ", wanted));
    }

    function _case(string memory name, string memory shape) private returns (RedeemCase memory redeemCase) {
        bytes32 kind = keccak256(bytes(shape));
        redeemCase.target = vm.deployCode(name, abi.encode(redeemUsdc()));
        redeemCase.amount = PRICE;
        redeemCase.kind = ICredits.Kind.Normal;
        redeemCase.data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE));
        if (kind == keccak256("normal")) return redeemCase;
        redeemCase.nftContract = redeemCase.target;
        redeemCase.data = abi.encodeCall(ReturnedMerchant.mint, (PRICE));
        if (kind == keccak256("knownTokenId")) {
            redeemCase.kind = ICredits.Kind.KnownTokenId;
            redeemCase.nftId = NFT_ID;
            redeemCase.data = abi.encodeCall(KnownTokenIdMerchant.buy, (NFT_ID));
        } else {
            redeemCase.kind = kind == keccak256("returned") ? ICredits.Kind.Returned : ICredits.Kind.SafeMint;
        }
        bytes32 contractName = keccak256(bytes(name));
        if (contractName == keccak256("SafeMintMerchant721")) {
            redeemCase.data = abi.encodeCall(SafeMintMerchant721.mint, (2, PRICE));
        } else if (contractName == keccak256("SafeMintMerchant1155")) {
            redeemCase.data = abi.encodeCall(SafeMintMerchant1155.mint, (3, 2, PRICE));
        } else if (contractName == keccak256("KnownTokenIdMerchant")) {
            KnownTokenIdMerchant(redeemCase.target).list(NFT_ID, PRICE);
        }
    }

    function _row(uint256 index) private pure returns (string memory) {
        return string.concat("[", vm.toString(index), "]");
    }
}

/// @dev Names of forge-std's `Test` that this repository's `Test` does not have.
abstract contract StandardTest is Test {
    struct StdStorage {
        uint256 depth;
    }

    StdStorage internal stdstore;

    event log(string);

    function fail() internal pure {
        revert();
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertTrue(bool condition) internal pure {
        vm.assertTrue(condition);
    }

    function deal(address account, uint256 balance) internal {
        vm.deal(account, balance);
    }

    function deal(address, address, uint256) internal pure {}
    function hoax(address) internal {}
    function skip(uint256) internal {}
    function rewind(uint256) internal {}
    function makeAddr(string memory) internal pure returns (address) {}
    function targetContract(address) internal {}
    function isFork() internal pure returns (bool) {}
}

/// @dev A suite may declare every name that `RedeemTest` uses only internally.
contract RedeemTestNames is StandardTest, RedeemTest {
    IUsdc internal usdc;
    ICredits private _credits;
    uint256 private _salts;
    uint256 private _accepted;
    address internal customer;
    address internal operator;
    address internal credits;
    NormalMerchant internal shop;

    error UnknownRedeemRule(string code);

    function setUp() public {
        usdc = redeemUsdc();
        customer = redeemCustomer();
        operator = redeemOperator();
        credits = address(redeemCredits());
        shop = new NormalMerchant(address(usdc));
    }

    function test_settles() public {
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (customer, 1));
        assertSettles(address(shop), data, 1, ICredits.Kind.Normal);
        assertEq(shop.paidFor(customer), 1);
        assertEq(_run() + _explain() + _salts + _accepted, 3);
    }

    function _run() private pure returns (uint256) {
        return 1;
    }

    function _explain() private pure returns (uint256) {
        return 2;
    }
}

/// @dev `test/simulation/slyMerchants.test.ts` expects the same verdicts from the simulation.
contract RedeemTestSly is Test, RedeemTest {
    uint256 private constant PRICE = 10_000_000;

    function test_takesByAnotherContractWhatIsApprovedToIt() public {
        _breaks("PULLS_FROM_OTHERS", address(new AsksBeforeItTakes(address(redeemUsdc()))));
    }

    function test_takesFromARelayerWhoHasApprovedIt() public {
        _breaks("PULLS_FROM_OTHERS", address(new TakesFromTheRich(address(redeemUsdc()))));
    }

    function test_looksAtGas() public {
        _breaks("KEEPS_MONEY_ON_SHORT_GAS", address(new LooksAtGas(address(redeemUsdc()))));
    }

    function test_takesTheTokenBack() public {
        _breaks("WRONG_NFT_ID", address(new TakesTokenBack(address(redeemUsdc()))));
    }

    function test_undoesItsPull() public {
        _breaks("PULLS_NOTHING", address(new UndoesItsPull(address(redeemUsdc()))));
    }

    function test_losesOnShortGas() public {
        _breaks("KEEPS_MONEY_ON_SHORT_GAS", address(new LosesOnShortGas(address(redeemUsdc()))));
    }

    function test_writesWithoutEnd() public {
        string memory text = _said(address(new WritesWithoutEnd(address(redeemUsdc()))));
        vm.assertTrue(_has(text, "an endless loop, or an invalid instruction"));
    }

    function test_textWithoutCommands() public {
        string memory text = _said(address(new SaysCommands(address(redeemUsdc()))));
        vm.assertTrue(_has(text, " reverted: ?[2Jfine????. "));
    }

    function test_textThatIsCut() public {
        string memory text = _said(address(new SaysTooMuch(address(redeemUsdc()))));
        vm.assertTrue(_has(text, "AAAA.... Find"));
        vm.assertTrue(bytes(text).length < 400);
    }

    function _said(address merchant) private returns (string memory) {
        bytes memory data = abi.encodeWithSignature("buy(address,uint256)", redeemCustomer(), PRICE);
        RedeemFinding[] memory findings = judgeRedeem(_redeemCase(merchant, data, PRICE, ICredits.Kind.Normal));
        vm.assertEq(findings.length, 1);
        vm.assertEq(findings[0].code, "CALL_REVERTS");
        return findings[0].text;
    }

    function _has(string memory text, string memory part) private pure returns (bool) {
        bytes32 wanted = keccak256(bytes(part));
        bytes memory all = bytes(text);
        uint256 size = bytes(part).length;
        for (uint256 i = 0; i + size <= all.length; ++i) {
            bytes32 found;
            assembly ("memory-safe") {
                found := keccak256(add(add(all, 0x20), i), size)
            }
            if (found == wanted) return true;
        }
        return false;
    }

    function _breaks(string memory code, address merchant) private {
        bytes memory data = abi.encodeWithSignature("buy(address,uint256)", redeemCustomer(), PRICE);
        assertBreaks(code, merchant, data, PRICE, ICredits.Kind.Normal);
    }
}
