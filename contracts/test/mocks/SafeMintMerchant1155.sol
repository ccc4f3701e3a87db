// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// @title Mints ERC-1155 tokens to its caller: shape `safeMint`.
contract SafeMintMerchant1155 is ERC1155, Payment {
    constructor(address usdc_) ERC1155("") Payment(usdc_) {}

    function mint(uint256 id, uint256 amount, uint256 price) external {
        _pull(price);
        _mint(msg.sender, id, amount, "");
    }

    function mintBatch(uint256[] calldata ids, uint256[] calldata amounts, uint256 price) external {
        _pull(price);
        _mintBatch(msg.sender, ids, amounts, "");
    }
}
