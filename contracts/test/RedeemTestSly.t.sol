// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {RedeemTest} from "./RedeemTest.sol";
import {Test} from "./Test.sol";
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
import {RedeemFinding} from "./redeem/RedeemTexts.sol";

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
