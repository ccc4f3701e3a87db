// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {ICredits} from "./ICredits.sol";
import {IPaymentSettlement} from "./IPaymentSettlement.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title The wallet that redeems on behalf of a customer's payment
/// @notice Acts for one customer, who signed no permit. Forwards everything that it receives to that customer, except
/// refunded USDC, which the settlement contract takes back and mints as credits.
/// @dev Each customer has one minimal proxy of this contract (`PaymentSettlement`), whose immutable argument is the customer.
contract CustomerEscrow is IERC1271, IERC1155Receiver {
    using SafeERC20 for IERC20;

    address public immutable paymentSettlement = msg.sender;

    /// @dev Digest of the only permit that this wallet accepts, and only during its redeem.
    bytes32 private transient _permitted;

    error OnlyPaymentSettlement(address caller);

    modifier onlyPaymentSettlement() {
        if (msg.sender != paymentSettlement) revert OnlyPaymentSettlement(msg.sender);
        _;
    }

    /// @notice Redeems with a permit that this wallet accepts during this call only.
    function redeem(ICredits credits, ICredits.RedeemRequest calldata request) external onlyPaymentSettlement {
        _permitted = credits.hashCreditsAuthorization(request.permit);
        credits.redeem(request);
        _permitted = 0;
    }

    /// @notice Pays refunded USDC to the settlement contract.
    function pay(IERC20 token, uint256 amount) external onlyPaymentSettlement {
        token.safeTransfer(msg.sender, amount);
    }

    /// @notice Forwards an ERC-721 token to the customer. Anyone may call it.
    function forward(IERC721 nftContract, uint256 nftId) external {
        nftContract.transferFrom(address(this), customer(), nftId);
    }

    /// @notice Forwards the whole balance of an ERC-20 token, including USDC, to the customer. Anyone may call it.
    /// @dev Refunded USDC is here only within one transaction, between calls to USDC and the credits contract.
    function sweep(IERC20 token) external {
        token.safeTransfer(customer(), token.balanceOf(address(this)));
    }

    /// @notice Claims for the customer the funds that a decent settlement left on this chain. Anyone may call it.
    /// @param adapter a contract of this deployment: in other contracts, `claim` could have a different meaning
    /// @param token zero for the native coin
    function claim(IBridgeAdapter adapter, address token) external {
        if (!IPaymentSettlement(paymentSettlement).credits().isOwnContract(address(adapter))) {
            revert ICredits.ForbiddenTarget(address(adapter));
        }
        adapter.claim(token, customer());
    }

    /// @notice Returns the customer.
    function customer() public view returns (address) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address));
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata) external view returns (bytes4) {
        return hash != 0 && hash == _permitted ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256 id, uint256 value, bytes calldata) external returns (bytes4) {
        IERC1155(msg.sender).safeTransferFrom(address(this), customer(), id, value, "");
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(address, address, uint256[] calldata ids, uint256[] calldata values, bytes calldata)
        external
        returns (bytes4)
    {
        IERC1155(msg.sender).safeBatchTransferFrom(address(this), customer(), ids, values, "");
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC1155Receiver).interfaceId || interfaceId == type(IERC165).interfaceId;
    }
}
