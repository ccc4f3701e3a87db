// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {ICredits} from "./ICredits.sol";
import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";

/// @notice Simulates redeems and reads state in one `eth_call`, before a relayer sends the redeems. The probe is never
/// deployed: a state override puts its code at the operator's address, so that the credits contract sees the operator
/// as the caller.
/// @dev Each attempt is reverted, so that it neither changes state nor warms storage for the next attempt. Reads come
/// last, because they warm storage and would make the attempts cheaper than real transactions.
contract RedeemProbe {
    struct Question {
        address wallet;
        bytes12 orderKey;
        string creditSeed;
        /// Call data for the credits contract; empty for none.
        bytes attempt;
    }

    struct Answer {
        uint8 orderState;
        /// Commitment of the attempt that used the order; zero while it is unused.
        bytes20 commitment;
        uint256 credits;
        bool walletHasCode;
        /// Whether USDC has blocked the wallet; false if the token has no blacklist.
        bool isBlocked;
        /// Whether the attempt succeeded.
        bool success;
        /// Gas of the attempt, excluding the base cost of a transaction; gas refunds are not subtracted.
        uint256 gasUsed;
    }

    /// @dev Result of an attempt.
    error Attempted(bool success, uint256 gasUsed);

    /// Gas limit of each attempt. Simulate a redeem that needs more in a separate call.
    uint256 private constant MOST_GAS = 1_000_000;

    function ask(ICredits credits, Question[] calldata questions) external returns (Answer[] memory answers) {
        uint256 length = questions.length;
        answers = new Answer[](length);
        for (uint256 i = 0; i < length; ++i) {
            if (questions[i].attempt.length == 0) continue;
            try this.attempt(address(credits), questions[i].attempt) {}
            catch (bytes memory reason) {
                // If nothing was recorded, no gas was left for the attempt.
                if (bytes4(reason) != Attempted.selector) continue;
                (answers[i].success, answers[i].gasUsed) = abi.decode(Bytes.slice(reason, 4), (bool, uint256));
            }
        }
        for (uint256 i = 0; i < length; ++i) {
            Question calldata question = questions[i];
            (ICredits.OrderState state, bytes20 commitment,) = credits.orderState(question.wallet, question.orderKey);
            (answers[i].orderState, answers[i].commitment) = (uint8(state), commitment);
            answers[i].credits = credits.creditsOf(question.creditSeed, question.wallet);
            answers[i].walletHasCode = question.wallet.code.length != 0;
            answers[i].isBlocked = _isBlocked(address(credits.usdc()), question.wallet);
        }
    }

    /// @dev Always reverts, so that the attempt changes nothing.
    function attempt(address target, bytes calldata data) external {
        uint256 gas = gasleft();
        (bool success,) = target.call{gas: MOST_GAS}(data);
        revert Attempted(success, gas - gasleft());
    }

    function _isBlocked(address usdc, address wallet) private view returns (bool) {
        (bool success, uint256 word, uint256 size) =
            BoundedCall.readOnly(usdc, abi.encodeWithSignature("isBlacklisted(address)", wallet));
        return success && size == 32 && word != 0;
    }
}
