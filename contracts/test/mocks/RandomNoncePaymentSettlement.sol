// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../../src/ICredits.sol";
import {IPaymentSettlement} from "../../src/IPaymentSettlement.sol";
import {IUsdc} from "../../src/IUsdc.sol";
import {RoleGrant} from "../../src/RoleGrant.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Simulates the contract that settles payments at a service with random nonces
/// @notice For tests and the sandbox: simulates third-party contracts. Never deploy it for value: an operator decides
/// what a customer's authorization pays for.
/// @dev See PROTOCOL.md 4.6. Takes payments like `PaymentSettlement`, with two differences: it executes no settlement,
/// and the nonce of an authorization, which may be a `TransferWithAuthorization`, is its `salt`.
contract RandomNoncePaymentSettlement is AccessControl {
    using SafeERC20 for IUsdc;

    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    ICredits public immutable credits;
    IUsdc public immutable usdc;
    mapping(bytes32 id => bool) public settled;

    /// @dev Takes the arguments of the `PaymentSettlement` constructor.
    constructor(ICredits credits_, address admin, uint48, RoleGrant[] memory grants) {
        credits = credits_;
        usdc = credits_.usdc();
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        for (uint256 i = 0; i < grants.length; ++i) {
            _grantRole(grants[i].role, grants[i].account);
        }
    }

    /// @dev See `IPaymentSettlement`.
    function settle(IPaymentSettlement.Payment calldata payment) external onlyRole(OPERATOR_ROLE) {
        if (settled[payment.id]) revert IPaymentSettlement.AlreadySettled(payment.id);
        settled[payment.id] = true;
        uint256 value = payment.authorization.value;
        if (value != 0) _take(payment.customer, payment.authorization);
        if (value < payment.amount) usdc.safeTransferFrom(msg.sender, address(this), payment.amount - value);
        else usdc.safeTransfer(msg.sender, value - payment.amount);
        if (payment.outcome == IPaymentSettlement.Outcome.MintCredits) {
            usdc.forceApprove(address(credits), payment.amount);
            credits.mint(payment.creditSeed, payment.receiver, payment.amount);
        } else if (payment.outcome == IPaymentSettlement.Outcome.PayUsdc) {
            usdc.safeTransfer(payment.receiver, payment.amount);
        } else {
            revert IPaymentSettlement.UnexpectedField("outcome");
        }
        emit IPaymentSettlement.PaymentSettled(
            payment.id, payment.customer, bytes12(0), payment.outcome, payment.receiver, payment.amount, value, 0
        );
    }

    function _take(address from, IPaymentSettlement.Authorization calldata one) private {
        ICredits.UsdcMethod method = one.method;
        bytes calldata signature = one.signature;
        if (method == ICredits.UsdcMethod.TransferV2) {
            usdc.transferWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, signature
            );
            return;
        }
        if (method == ICredits.UsdcMethod.ReceiveV2) {
            usdc.receiveWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, signature
            );
            return;
        }
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        if (method == ICredits.UsdcMethod.TransferV1) {
            usdc.transferWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, v, r, s
            );
        } else {
            usdc.receiveWithAuthorization(
                from, address(this), one.value, one.validAfter, one.validBefore, one.salt, v, r, s
            );
        }
    }
}
