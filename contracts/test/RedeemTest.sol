// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {RedeemJudge} from "./redeem/RedeemJudge.sol";
import {RedeemCase} from "./redeem/RedeemStage.sol";
import {RedeemFinding, RedeemTexts} from "./redeem/RedeemTexts.sol";

/// @title Checks whether customers can redeem at a merchant's contract
/// @notice Extend this contract in a Foundry suite, with or without forge-std's `Test`:
///
/// ```solidity
/// contract ShopTest is Test, RedeemTest {
///     function test_buy() public {
///         Shop shop = new Shop(redeemUsdc());
///         bytes memory data = abi.encodeCall(Shop.buy, (receiver, 10_000_000));
///         assertSettles(address(shop), data, 10_000_000, ICredits.Kind.Normal);
///     }
/// }
/// ```
///
/// Amounts are raw units of USDC: 1 USD is 1_000_000. `evm_version` must be `cancun` or later.
/// @dev Checks the economic rules of PROTOCOL.md 6.8. The command line and Vitest also check the trace rules. Records
/// logs and state changes with cheatcodes, so a recording that the suite started does not see them.
abstract contract RedeemTest is RedeemJudge {
    mapping(bytes32 codeHash => bool) private _accepted;

    error RedeemRuleNotBroken(string code, string found);

    /// @notice Redeems, and fails with the code, observation and fix of each broken rule. A warning, such
    /// as for a shop that takes less than the amount, does not fail. A successful redeem stays executed, so that the
    /// suite can make more assertions.
    /// @param target the contract that is called
    /// @param data selector and arguments
    /// @param amount the amount that the customer approves
    /// @param kind the transaction type. Tokens are expected from `target`; for a known token ID, use the longer form
    function assertSettles(address target, bytes memory data, uint256 amount, ICredits.Kind kind) internal {
        assertSettles(_redeemCase(target, data, amount, kind));
    }

    /// @notice Does the same for tokens of a different contract, or for a known token ID.
    function assertSettles(
        address target,
        bytes memory data,
        uint256 amount,
        ICredits.Kind kind,
        address nftContract,
        uint256 nftId
    ) internal {
        assertSettles(RedeemCase(target, data, amount, kind, nftContract, nftId, 0));
    }

    /// @notice Does the same for a complete request, including `usdcAmount`.
    function assertSettles(RedeemCase memory redeemCase) internal {
        RedeemFinding[] memory findings = judgeRedeem(redeemCase);
        string memory broken;
        for (uint256 i = 0; i < findings.length; ++i) {
            if (findings[i].isWarning || _accepted[keccak256(bytes(findings[i].code))]) continue;
            broken = bytes(broken).length == 0 ? findings[i].text : string.concat(broken, "\n", findings[i].text);
        }
        if (bytes(broken).length > 0) revert(broken);
    }

    /// @notice Redeems, and fails unless the redeem breaks this rule: `assertBreaks("PULLS_LESS", …)`.
    function assertBreaks(string memory code, address target, bytes memory data, uint256 amount, ICredits.Kind kind)
        internal
    {
        assertBreaks(code, _redeemCase(target, data, amount, kind));
    }

    function assertBreaks(string memory code, RedeemCase memory redeemCase) internal {
        // A misspelt code fails here.
        RedeemTexts.fixOf(code);
        RedeemFinding[] memory findings = judgeRedeem(redeemCase);
        if (RedeemTexts.has(findings, code)) return;
        revert RedeemRuleNotBroken(code, findings.length == 0 ? "no rule is broken" : findings[0].text);
    }

    /// @notice From now on, `assertSettles` accepts one rule being broken.
    function acceptRedeemRule(string memory code) internal {
        RedeemTexts.fixOf(code);
        _accepted[keccak256(bytes(code))] = true;
    }
}
