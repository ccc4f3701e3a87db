// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CustomerEscrow} from "./CustomerEscrow.sol";
import {EmergencyPause} from "./EmergencyPause.sol";
import {ICredits} from "./ICredits.sol";
import {IPaymentSettlement} from "./IPaymentSettlement.sol";
import {IUsdc} from "./IUsdc.sol";
import {InitialRoles} from "./InitialRoles.sol";
import {RoleGrant} from "./RoleGrant.sol";
import {TokenRescue} from "./TokenRescue.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title PaymentSettlement
/// @notice See `IPaymentSettlement`.
/// @dev Outcome `Execute` is a redeem on the credits contract with credits minted in the same transaction, so all rules
/// of a redeem apply: whitelist, forbidden calls, allowance, refund. This contract needs the minter role of the credits
/// contract. It holds no USDC between transactions, so it does not use `exitOpensAt`.
contract PaymentSettlement is IPaymentSettlement, InitialRoles, EmergencyPause, TokenRescue, ReentrancyGuardTransient {
    using SafeERC20 for IUsdc;

    /// @notice May settle payments, and pays for them.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    /// @inheritdoc IPaymentSettlement
    bytes32 public constant PAYMENT_TYPEHASH = keccak256(
        "PaymentIntent(address customer,uint8 outcome,address receiver,bytes32 settlementHash,string creditSeed,uint256 amount,uint256 value,bytes32 salt)"
    );
    /// @dev The highest bit, which is set in every order key (PROTOCOL.md 4.3).
    bytes12 private constant ORDER_BIT = bytes12(uint96(1 << 95));
    /// @dev Code length of an escrow: a minimal proxy (45 bytes) and its argument.
    uint256 private constant ESCROW_CODE_LENGTH = 77;

    /// @inheritdoc IPaymentSettlement
    ICredits public immutable credits;
    /// @inheritdoc IPaymentSettlement
    IUsdc public immutable usdc;
    address private immutable _escrowCode;

    /// @inheritdoc IPaymentSettlement
    mapping(bytes32 id => bool) public settled;
    /// @inheritdoc IPaymentSettlement
    mapping(address customer => mapping(bytes12 orderKey => bool)) public orderPaid;

    /// @param credits_ the credits contract, whose USDC is used
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param grants further roles, granted at deployment
    constructor(ICredits credits_, address admin, uint48 adminDelay, RoleGrant[] memory grants)
        AccessControlDefaultAdminRules(adminDelay, admin)
        InitialRoles(grants)
    {
        credits = credits_;
        usdc = credits_.usdc();
        _escrowCode = address(new CustomerEscrow());
    }

    // The money path

    /// @inheritdoc IPaymentSettlement
    function settle(Payment calldata payment) external nonReentrant whenNotPaused onlyRole(OPERATOR_ROLE) {
        if (settled[payment.id]) revert AlreadySettled(payment.id);
        settled[payment.id] = true;
        if (payment.amount == 0) revert ZeroAmount();
        if (payment.customer == address(0)) revert ZeroAddress("customer");
        _requireReceiver(payment);

        uint256 customerUsdc = _collect(payment);
        if (customerUsdc < payment.amount) {
            usdc.safeTransferFrom(msg.sender, address(this), payment.amount - customerUsdc);
        } else if (customerUsdc > payment.amount) {
            usdc.safeTransfer(msg.sender, customerUsdc - payment.amount);
        }

        uint256 refunded = 0;
        if (payment.outcome == Outcome.Execute) refunded = _execute(payment);
        else if (payment.outcome == Outcome.MintCredits) _mint(payment.creditSeed, payment.receiver, payment.amount);
        else usdc.safeTransfer(payment.receiver, payment.amount);
        _emitSettled(payment, customerUsdc, refunded);
    }

    /// @dev Refuses addresses where USDC or credits would have no owner. Of the escrows that are not deployed yet, only
    /// the payment customer's can be recognized; money in a different escrow belongs to that escrow's customer.
    function _requireReceiver(Payment calldata payment) private view {
        address receiver = payment.receiver;
        if (payment.outcome == Outcome.Execute) {
            if (receiver != address(0)) revert UnexpectedField("receiver");
            // Other settlements are calls, and the credits contract refuses calls to itself and to the token.
            if (payment.settlement.kind != ICredits.Kind.Token) return;
            receiver = payment.settlement.target;
        } else {
            if (receiver == address(0)) revert ZeroAddress("receiver");
            if (receiver == address(credits) || receiver == address(usdc) || credits.isOwnContract(receiver)) {
                revert ForbiddenTarget(receiver);
            }
        }
        if (receiver == address(this) || receiver == escrowOf(payment.customer) || _isEscrow(receiver)) {
            revert ForbiddenTarget(receiver);
        }
    }

    /// @dev Takes the customer's USDC with an authorization that is valid only for this payment.
    /// @return value raw units that the customer paid
    function _collect(Payment calldata payment) private returns (uint256 value) {
        Authorization calldata authorization = payment.authorization;
        value = authorization.value;
        if (authorization.method == ICredits.UsdcMethod.None) {
            _requireNoAuthorization(authorization);
            return 0;
        }
        if (value == 0) revert ZeroAmount();
        address customer = payment.customer;
        bytes12 orderKey = authorization.orderKey;
        if (orderKey & ORDER_BIT == 0) revert InvalidOrderKey(orderKey);
        if (orderPaid[customer][orderKey]) revert OrderAlreadyPaid(customer, orderKey);
        orderPaid[customer][orderKey] = true;

        uint256 balance = usdc.balanceOf(address(this));
        _receive(customer, paymentNonce(payment), authorization);
        uint256 received = usdc.balanceOf(address(this)) - balance;
        if (received != value) revert TransferredAmountMismatch(received, value);
    }

    function _receive(address from, bytes32 nonce, Authorization calldata authorization) private {
        uint256 value = authorization.value;
        uint256 validAfter = authorization.validAfter;
        uint256 validBefore = authorization.validBefore;
        bytes calldata signature = authorization.signature;
        if (authorization.method == ICredits.UsdcMethod.ReceiveV2) {
            usdc.receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, signature);
        } else if (authorization.method == ICredits.UsdcMethod.ReceiveV1) {
            if (signature.length != 65) revert InvalidV1SignatureLength(signature.length);
            bytes32 r = bytes32(signature[:32]);
            bytes32 s = bytes32(signature[32:64]);
            uint8 v = uint8(signature[64]);
            usdc.receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, v, r, s);
        } else {
            revert ReceiveAuthorizationRequired(nonce);
        }
    }

    function _execute(Payment calldata payment) private returns (uint256 refunded) {
        ICredits.Settlement calldata settlement = payment.settlement;
        CustomerEscrow escrow = CustomerEscrow(deployEscrow(payment.customer));
        // This amount is zero, unless the escrow received credits by mistake.
        uint256 before = credits.creditsOf(payment.creditSeed, address(escrow));
        _mint(payment.creditSeed, address(escrow), payment.amount);

        bool checked = payment.nftIds.length != 0;
        uint256 held = checked ? IERC721(settlement.nftContract).balanceOf(address(escrow)) : 0;
        escrow.redeem(credits, _redeemRequest(payment, address(escrow)));
        if (checked) _forwardTokens(payment, escrow, held);

        uint256 left = credits.creditsOf(payment.creditSeed, address(escrow));
        if (left != 0) {
            credits.burn(payment.creditSeed, address(escrow), left);
            escrow.pay(usdc, left);
            _mint(payment.creditSeed, payment.customer, left);
        }
        return left - before;
    }

    /// @dev Returns the order of the escrow's redeem, which identifies the payment: the first 12 bytes of its ID, with the highest bit set.
    function _redeemRequest(Payment calldata payment, address escrow)
        private
        view
        returns (ICredits.RedeemRequest memory request)
    {
        request.intent = ICredits.Intent({amount: payment.amount, usdcAmount: 0, salt: payment.id});
        request.settlement = payment.settlement;
        request.permit = ICredits.Permit({
            customerWallet: escrow,
            creditSeed: payment.creditSeed,
            amount: payment.amount,
            validBefore: block.timestamp + 1,
            // `intentNonce` sets the highest bit.
            nonce: credits.intentNonce(
                bytes12(payment.id), escrow, credits.hashSettlement(payment.settlement), request.intent
            ),
            signature: ""
        });
    }

    /// @dev Forwards exactly the tokens that the operator listed after a simulation, and requires that no others arrived.
    function _forwardTokens(Payment calldata payment, CustomerEscrow escrow, uint256 held) private {
        IERC721 nftContract = IERC721(payment.settlement.nftContract);
        uint256 arrived = nftContract.balanceOf(address(escrow)) - held;
        if (arrived != payment.nftIds.length) {
            revert OtherTokensArrived(address(nftContract), arrived, payment.nftIds.length);
        }
        for (uint256 i = 0; i < payment.nftIds.length; ++i) {
            escrow.forward(nftContract, payment.nftIds[i]);
        }
    }

    function _mint(string calldata creditSeed, address wallet, uint256 amount) private {
        usdc.forceApprove(address(credits), amount);
        credits.mint(creditSeed, wallet, amount);
    }

    function _emitSettled(Payment calldata payment, uint256 customerUsdc, uint256 refunded) private {
        emit PaymentSettled(
            payment.id,
            payment.customer,
            payment.authorization.orderKey,
            payment.outcome,
            payment.receiver,
            payment.amount,
            customerUsdc,
            refunded
        );
    }

    function _requireNoAuthorization(Authorization calldata authorization) private pure {
        if (
            authorization.value != 0 || authorization.validAfter != 0 || authorization.validBefore != 0
                || authorization.orderKey != 0 || authorization.salt != 0 || authorization.signature.length != 0
        ) revert UnexpectedField("authorization");
    }

    /// @inheritdoc IPaymentSettlement
    function paymentNonce(Payment calldata payment) public view returns (bytes32 nonce) {
        bytes32 settlementHash =
            payment.outcome == Outcome.Execute ? credits.hashSettlement(payment.settlement) : bytes32(0);
        bytes32 hash = keccak256(
            abi.encode(
                PAYMENT_TYPEHASH,
                payment.customer,
                uint8(payment.outcome),
                payment.receiver,
                settlementHash,
                keccak256(bytes(payment.creditSeed)),
                payment.amount,
                payment.authorization.value,
                payment.authorization.salt
            )
        );
        return bytes32(payment.authorization.orderKey) | bytes32(uint256(uint160(uint256(hash))));
    }

    // Escrows

    /// @inheritdoc IPaymentSettlement
    function escrowOf(address customer) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(_escrowCode, abi.encode(customer), 0);
    }

    /// @inheritdoc IPaymentSettlement
    function deployEscrow(address customer) public returns (address escrow) {
        escrow = escrowOf(customer);
        if (escrow.code.length == 0) {
            Clones.cloneDeterministicWithImmutableArgs(_escrowCode, abi.encode(customer), 0);
        }
    }

    /// @dev Returns whether this contract deployed an escrow of any customer at this address.
    function _isEscrow(address account) private view returns (bool) {
        if (account.code.length != ESCROW_CODE_LENGTH) return false;
        address customer = address(uint160(uint256(bytes32(Clones.fetchCloneArgs(account)))));
        return account == escrowOf(customer);
    }
}
